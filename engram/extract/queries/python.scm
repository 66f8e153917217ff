(function_definition
  name: (_) @name
  parameters: (_) @parameters
  return_type: (_)? @returns
  body: (_) @body) @definition.function

(class_definition
  name: (_) @name
  superclasses: (_)? @bases
  body: (_) @body) @definition.class

(type_alias_statement . (type [(identifier) @name (generic_type . (identifier) @name)])) @definition.type

(decorated_definition
  (decorator (_) @decorator)+
  definition: (_) @wrapped) @wrapper

(call function: (_) @call)

(decorator [(identifier) (attribute)] @call)

(raise_statement . [(identifier) (attribute)] @call)

(assignment left: (_) @binding.declare type: (_)? @annotation right: (_)? @value)

(named_expression name: (_) @binding.assign value: (_) @value)

(with_item (as_pattern (_) @value alias: (as_pattern_target (_) @binding.with)))

(except_clause (as_pattern (_) @value alias: (as_pattern_target (_) @binding.except)))

(for_statement left: (_) @binding.for right: (_) @value)

(for_in_clause left: (_) @binding.for right: (_) @value)

(return_statement (_) @binding.return)

(yield (_) @binding.yield)

(global_statement (_) @binding.global)

(nonlocal_statement (_) @binding.nonlocal)

(import_statement name: (dotted_name) @import)

(import_statement name: (aliased_import name: (_) @import alias: (_) @name))

(import_from_statement module_name: (_) @import name: (dotted_name) @symbol)

(import_from_statement module_name: (_) @import name: (aliased_import name: (_) @symbol alias: (_) @name))

(import_from_statement module_name: (_) @import (wildcard_import) @symbol)
