; Modules of Node.js, which TypeScript writes in a way of its own.

(assignment_expression
  left: (member_expression) @_exports right: (identifier) @export.default
  (#eq? @_exports "module.exports"))

(assignment_expression
  left: (member_expression) @_exports right: (object (shorthand_property_identifier) @export)
  (#eq? @_exports "module.exports"))

(assignment_expression
  left: (member_expression) @_exports right: (object (pair key: (_) @name value: (identifier) @export))
  (#eq? @_exports "module.exports"))

(assignment_expression
  left: (member_expression) @_exports
  right: (object (pair key: (_) @export value: [(arrow_function) (function_expression)]))
  (#eq? @_exports "module.exports"))

(assignment_expression
  left: (member_expression) @_exports right: (object (method_definition name: (_) @export))
  (#eq? @_exports "module.exports"))

(assignment_expression
  left: (member_expression object: (_) @_exports property: (_) @name) right: (identifier) @export
  (#any-of? @_exports "exports" "module.exports"))

(assignment_expression
  left: (member_expression object: (_) @_exports property: (_) @export)
  right: [(arrow_function) (function_expression) (class)]
  (#any-of? @_exports "exports" "module.exports"))
