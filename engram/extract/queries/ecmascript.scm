; What JavaScript and TypeScript share.

(function_declaration
  name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.function

(generator_function_declaration
  name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.function

; A value with parameters and a body is a function of some sort.  Naming the three sorts, each with its optional fields,
; costs four times as much to compile, in every process that reads one file.

(variable_declarator
  name: (identifier) @name
  value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.function

(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.function

(pair
  key: (_) @name
  value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.function

(export_statement
  "default"
  value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body) @definition.function)

(class_declaration
  decorator: (_)* @decorator
  name: (_) @name (class_heritage)? @bases body: (_) @body) @definition.class

(variable_declarator
  name: (identifier) @name value: (class (class_heritage)? @bases body: (_) @body)) @definition.class

(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: (class (class_heritage)? @bases body: (_) @body)) @definition.class

(export_statement "default" value: (class (class_heritage)? @bases body: (_) @body) @definition.class)

; Objects hold functions: these are called `object.function`.

(variable_declarator name: (identifier) @name value: (object) @body) @holder

(assignment_expression left: [(identifier) (member_expression)] @name right: (object) @body) @holder

(pair key: (_) @name value: (object) @body) @holder

(export_statement "default" value: (object) @body @holder)

; What belongs to the lines of a definition.

(export_statement decorator: (_)* @decorator declaration: (_) @wrapped) @wrapper.export

(export_statement "default" value: (_) @wrapped) @wrapper.export

(lexical_declaration . (variable_declarator) @wrapped .) @wrapper

(variable_declaration . (variable_declarator) @wrapped .) @wrapper

(export_statement declaration: (_ (variable_declarator) @wrapped @wrapper.export))

; Functions without a name: what they return is not returned by the function around them.

(arrow_function body: (_) @anonymous)

(function_expression body: (_) @anonymous)

(call_expression function: (_) @call)

(new_expression constructor: (_) @call.new)

(decorator [(identifier) (member_expression)] @call)

(assignment_expression left: (_) @binding.assign right: (_) @value)

(for_in_statement left: (_) @binding.for right: (_) @value)

(return_statement (_) @binding.return)

(yield_expression (_) @binding.yield)

(arrow_function
  body: [
    (call_expression) (new_expression) (identifier) (member_expression) (await_expression)
    (parenthesized_expression) (ternary_expression) (binary_expression)
  ] @binding.return)

(import_statement (import_clause (identifier) @name) source: (_) @import.default)

(import_statement (import_clause (namespace_import (identifier) @name)) source: (_) @import)

(import_statement
  (import_clause (named_imports (import_specifier name: _ @symbol alias: (_)? @name))) source: (_) @import)

(import_statement "import" . source: (_) @import.bare)

(export_statement
  (export_clause (export_specifier name: _ @symbol alias: _? @name)) source: (_) @import.reexport)

(export_statement (namespace_export (_) @name) source: (_) @import.reexport)

(export_statement "*" @symbol source: (_) @import.reexport)

(export_statement (export_clause (export_specifier name: _ @export alias: _? @name)) !source)

(export_statement "default" declaration: (_ name: (_) @export.default))

(export_statement "default" value: (identifier) @export.default)

(export_statement
  "default" @export.default
  value: [(arrow_function) (function_expression) (generator_function) (class) (object)])
