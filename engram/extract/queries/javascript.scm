(method_definition
  decorator: (_)* @decorator
  name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.method

(variable_declarator name: (_) @binding.declare value: (_)? @value)

(field_definition
  decorator: (_)* @decorator
  property: (_) @name
  value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.method

(field_definition property: (_) @binding.assign value: (_) @value)
