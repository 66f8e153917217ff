(function_item
  name: (_) @name parameters: (_) @parameters return_type: (_)? @returns body: (_) @body) @definition.function

(function_signature_item
  name: (_) @name parameters: (_) @parameters return_type: (_)? @returns) @definition.function

(struct_item name: (_) @name body: (_)? @body) @definition.struct

(union_item name: (_) @name body: (_) @body) @definition.struct

(enum_item name: (_) @name body: (_) @body) @definition.enum

(trait_item name: (_) @name bounds: (_)? @bases body: (_) @body) @definition.trait

(type_item name: (_) @name type: (_)) @definition.type

(mod_item name: (_) @name body: (_) @body) @definition.namespace

(macro_definition name: (_) @name) @definition.macro

(impl_item trait: (_)? @bases type: (_) @name body: (_) @body) @implementation

(mod_item body: (_ (const_item name: (_) @name) @definition.constant))

(impl_item body: (_ (const_item name: (_) @name) @definition.constant))

(trait_item body: (_ (const_item name: (_) @name) @definition.constant))

((attribute_item (_) @decorator) @wrapper . [
  (function_item) (function_signature_item) (struct_item) (union_item) (enum_item) (trait_item) (type_item) (mod_item)
  (macro_definition) (attribute_item)
] @wrapped)

(source_file (const_item name: (_) @wrapped) @wrapper)

(source_file (static_item name: (_) @wrapped) @wrapper)

(closure_expression body: (_) @anonymous)

(call_expression function: [(identifier) (scoped_identifier) (field_expression) (self)] @call)

(call_expression function: (generic_function function: (_) @call))

; The arguments of macros are tokens: a name before parentheses is a call.

(token_tree (identifier) @call.path . (token_tree "("))

(source_file (const_item name: (_) @binding.declare type: (_) @annotation))

(source_file (static_item name: (_) @binding.declare type: (_) @annotation))

(let_declaration pattern: (identifier) @binding.assign type: (_)? @annotation value: (_)? @value)

(let_declaration pattern: (mut_pattern (identifier) @binding.assign) type: (_)? @annotation value: (_)? @value)

(let_declaration pattern: (tuple_pattern) @binding.assign value: (_) @value)

(let_condition pattern: (tuple_struct_pattern type: (_) . (identifier) @binding.assign .) value: (_) @value)

(for_expression pattern: (identifier) @binding.for value: (_) @value)

(closure_parameters (parameter pattern: (identifier) @binding.assign type: (_) @annotation))

(closure_parameters (identifier) @binding.assign)

(match_arm pattern: (match_pattern (tuple_struct_pattern type: (_) . (identifier) @binding.assign .)))

(field_declaration name: (_) @binding.assign type: (_) @annotation)

(assignment_expression left: [(identifier) (field_expression)] @binding.assign right: (_) @value)

(mod_item name: (_) @import !body)

(extern_crate_declaration name: (_) @import alias: (_)? @name)

(use_declaration argument: [(identifier) (scoped_identifier) (crate) (self) (super)] @import.path)

(use_list [(identifier) (scoped_identifier) (crate) (self) (super)] @import.path)

(use_as_clause path: (_) @import.path alias: (_) @name)

(use_wildcard . (_) @import.star)
