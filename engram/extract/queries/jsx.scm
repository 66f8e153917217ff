; An element of a component is a call of it; elements in lower case are the platform's own.

((jsx_opening_element name: (_) @call) (#match? @call "^[A-Z]|[.]"))

((jsx_self_closing_element name: (_) @call) (#match? @call "^[A-Z]|[.]"))
