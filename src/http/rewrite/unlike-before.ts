/** The look-ahead that path-to-regexp emits for `:b` in `/:a-:b`: the parameter may not contain its separator. */
export const UNLIKE_BEFORE = /\(\?:\(\?!((?:\\?[^\\)])+)\)\[\^(\\?[^\]])\]\)\+\?/g;
