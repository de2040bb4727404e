import { EngineFault } from './engine-fault.js'

/** Words, sizes, brackets, quoted names and quoted texts: nothing that could end a column definition. */
const typeName = /^(?:[A-Za-z0-9_ ,[\]()]|"(?:[^"]|"")*"|'(?:[^']|'')*')+$/

/** The name of a type as it stands, once it is sure that it is no more than that. */
export function checkTypeName(type: string): string {
  if (!typeName.test(type) || !balanced(type)) {
    throw new EngineFault('sql.invalid_input', { message: 'A column has no valid type name.', hint: '' })
  }
  return type
}

function balanced(type: string): boolean {
  let depth = 0
  for (const character of type.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, '')) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
    if (character === ',' && depth === 0) return false
  }
  return depth === 0
}
