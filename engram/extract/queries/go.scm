(function_declaration
  name: (_) @name parameters: (_) @parameters result: (_)? @returns body: (_) @body) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner)) @receiver
  name: (_) @name parameters: (_) @parameters result: (_)? @returns body: (_) @body) @definition.method

(type_spec name: (_) @name type: (struct_type (_) @body)) @definition.struct

(type_spec name: (_) @name type: (interface_type) @body) @definition.interface

(type_spec
  name: (_) @name
  type: [
    (type_identifier) (qualified_type) (generic_type) (pointer_type) (function_type) (map_type) (slice_type)
    (array_type) (channel_type)
  ]) @definition.type

(type_alias name: (_) @name type: (_)) @definition.type

(method_elem name: (_) @name parameters: (_) @parameters result: (_)? @returns) @definition.method

; What is embedded hands its methods on.

(field_declaration_list (field_declaration !name type: (_) @base))

(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .))

(type_declaration . (type_spec) @wrapped .) @wrapper

(type_declaration . (type_alias) @wrapped .) @wrapper

(const_declaration . (const_spec) @wrapped .) @wrapper

(var_declaration . (var_spec) @wrapped .) @wrapper

(func_literal body: (_) @anonymous)

(call_expression
  function: [(identifier) (selector_expression) (parenthesized_expression) (call_expression)] @call)

(call_expression function: (index_expression operand: (_) @call))

(package_clause (_) @binding.package)

(const_spec . name: (identifier) @binding.declare value: (expression_list . (_) @value .)?)

(const_spec name: (identifier) "," name: (identifier) @binding.declare)

(var_spec . name: (identifier) @binding.declare type: (_)? @annotation value: (expression_list . (_) @value .)?)

(var_spec name: (identifier) "," name: (identifier) @binding.declare type: (_)? @annotation)

(field_declaration name: (_) @binding.assign type: (_) @annotation)

(func_literal
  parameters: (parameter_list (parameter_declaration name: (_) @binding.assign type: (_) @annotation)))

(short_var_declaration left: (expression_list . (_) @binding.assign .) right: (expression_list . (_) @value .))

(short_var_declaration left: (expression_list . (_) . (_)) @binding.assign right: (_) @value)

(assignment_statement left: (expression_list . (_) @binding.assign .) right: (expression_list . (_) @value .))

(assignment_statement left: (expression_list . (_) . (_)) @binding.assign right: (_) @value)

(range_clause left: (expression_list . (_) @binding.assign))

(range_clause left: (expression_list . (_) . (_) @binding.for) right: (_) @value)

(type_switch_statement alias: (expression_list (_) @binding.assign))

(import_spec !name path: (_) @import)

(import_spec name: (package_identifier) @name path: (_) @import)

(import_spec name: (dot) path: (_) @import.star)

(import_spec name: (blank_identifier) path: (_) @import.bare)
