(class_declaration
  (modifiers [(annotation) (marker_annotation)]* @decorator)?
  name: (_) @name superclass: (_)? @bases interfaces: (_)? @bases body: (_) @body) @definition.class

(interface_declaration
  (modifiers [(annotation) (marker_annotation)]* @decorator)?
  name: (_) @name (extends_interfaces)? @bases body: (_) @body) @definition.interface

(enum_declaration
  (modifiers [(annotation) (marker_annotation)]* @decorator)?
  name: (_) @name interfaces: (_)? @bases body: (_) @body) @definition.enum

(record_declaration
  (modifiers [(annotation) (marker_annotation)]* @decorator)?
  name: (_) @name parameters: (_) @parameters interfaces: (_)? @bases body: (_) @body) @definition.record

(annotation_type_declaration
  (modifiers [(annotation) (marker_annotation)]* @decorator)? name: (_) @name body: (_) @body) @definition.interface

(method_declaration
  (modifiers [(annotation) (marker_annotation)]* @decorator)?
  type: (_) @returns name: (_) @name parameters: (_) @parameters body: (_)? @body) @definition.method

(constructor_declaration
  (modifiers [(annotation) (marker_annotation)]* @decorator)?
  name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.method

(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.method

(annotation_type_element_declaration type: (_) @returns name: (_) @name) @definition.method

(field_declaration
  (modifiers "static" "final") declarator: (variable_declarator name: (_) @name)) @definition.constant

(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.constant

(lambda_expression body: (_) @anonymous)

(method_invocation name: (_) @name) @call.member

(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @call.new)

(object_creation_expression type: (generic_type . (_) @call.new))

(explicit_constructor_invocation constructor: (_) @call)

(package_declaration (_) @binding.package)

(field_declaration
  type: (_) @annotation declarator: (variable_declarator name: (_) @binding.assign value: (_)? @value))

(local_variable_declaration
  type: (_) @annotation declarator: (variable_declarator name: (_) @binding.assign value: (_)? @value))

(enhanced_for_statement type: (_) @annotation name: (_) @binding.for value: (_) @value)

(resource type: (_) @annotation name: (_) @binding.assign value: (_) @value)

(catch_formal_parameter (catch_type . (_) @annotation) name: (_) @binding.assign)

(instanceof_expression right: (_) @annotation name: (_) @binding.assign)

(lambda_expression parameters: (identifier) @binding.assign)

(lambda_expression parameters: (inferred_parameters (identifier) @binding.assign))

(lambda_expression parameters: (formal_parameters (formal_parameter type: (_) @annotation name: (_) @binding.assign)))

(record_declaration
  parameters: (formal_parameters (formal_parameter type: (_) @annotation name: (_) @binding.field)))

(assignment_expression left: [(identifier) (field_access)] @binding.assign right: (_) @value)

(return_statement (_) @binding.return)

(import_declaration (scoped_identifier scope: (_) @import name: (_) @symbol) .)

(import_declaration (_) @import.star (asterisk))
