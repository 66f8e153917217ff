(method_definition
  name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.method

(abstract_class_declaration
  decorator: (_)* @decorator
  name: (_) @name (class_heritage)? @bases body: (_) @body) @definition.class

(interface_declaration name: (_) @name (extends_type_clause)? @bases body: (_) @body) @definition.interface

(type_alias_declaration name: (_) @name) @definition.type

(enum_declaration name: (_) @name body: (_) @body) @definition.enum

(internal_module name: (_) @name body: (_) @body) @definition.namespace

(module name: (_) @name body: (_) @body) @definition.namespace

(function_signature name: (_) @name parameters: (_) @parameters) @definition.function

(method_signature name: (_) @name parameters: (_) @parameters) @definition.method

(abstract_method_signature name: (_) @name parameters: (_) @parameters) @definition.method

(public_field_definition
  decorator: (_)* @decorator
  name: (_) @name
  value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.method

((decorator) @wrapper @decorator . (method_definition) @wrapped)

((decorator) @wrapper @decorator . (decorator) @wrapped)

(ambient_declaration (_) @wrapped) @wrapper

(variable_declarator name: (_) @binding.declare type: (_)? @annotation value: (_)? @value)

(public_field_definition name: (_) @binding.assign type: (_)? @annotation value: (_)? @value)

(interface_body (property_signature name: (_) @binding.assign type: (_) @annotation))

(required_parameter (accessibility_modifier) pattern: (identifier) @binding.field type: (_)? @annotation)

(optional_parameter (accessibility_modifier) pattern: (identifier) @binding.field type: (_)? @annotation)

(import_statement (import_require_clause (identifier) @name source: (_) @import))

(export_statement "=" (identifier) @export.default)
