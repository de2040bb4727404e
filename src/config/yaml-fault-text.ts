import type { YAMLError } from 'yaml'

interface FaultText {
  readonly message: string
  readonly hint?: string
}

/** Says in our own words what the parser found: its own texts may quote the file, and the file may hold a secret. */
export function yamlFaultText(fault: Pick<YAMLError, 'code'>): FaultText {
  switch (fault.code) {
    case 'DUPLICATE_KEY':
      return { message: 'this key is given twice', hint: 'Keep one of the two.' }
    case 'TAB_AS_INDENT':
      return { message: 'a tab is used for indentation', hint: 'YAML is indented with spaces.' }
    case 'BAD_INDENT':
      return {
        message: 'the indentation does not fit the lines around it',
        hint: 'Items of one list or mapping begin in the same column.',
      }
    case 'MULTIPLE_DOCS':
      return {
        message: 'the file holds a second document (after "---")',
        hint: 'Use one file for each, and `include`.',
      }
    case 'NON_STRING_KEY':
      return { message: 'a key must be a plain text' }
    case 'MISSING_CHAR':
      return { message: 'a quote, bracket, colon or comma is missing here' }
    case 'BAD_ALIAS':
      return { message: 'an alias (*name) is not well formed here', hint: 'Quote a text that begins with *.' }
    case 'BAD_SCALAR_START':
      return { message: 'a text may not begin with this character', hint: 'Put the text in quotes.' }
    case 'BAD_DQ_ESCAPE':
      return {
        message: 'unknown escape in a double-quoted text',
        hint: 'Write \\\\ for a backslash, or use single quotes.',
      }
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return { message: 'a key must end on its line', hint: 'Put a text that contains ": " in quotes.' }
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_COLLECTION_TYPE':
      return { message: 'tags (!name) are not used in this file', hint: 'Put a text that begins with ! in quotes.' }
    case 'BLOCK_IN_FLOW':
      return { message: 'an indented block stands inside brackets' }
    case 'BAD_PROP_ORDER':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
    case 'ALIAS_PROPS':
      return { message: 'anchors (&name), aliases (*name) and tags do not fit together here' }
    case 'BAD_DIRECTIVE':
      return { message: 'unknown directive', hint: 'Remove the line that begins with %.' }
    case 'KEY_OVER_1024_CHARS':
      return { message: 'a key is longer than 1,024 characters' }
    case 'RESOURCE_EXHAUSTION':
      return { message: 'the file is nested too deeply' }
    case 'UNEXPECTED_TOKEN':
    case 'IMPOSSIBLE':
      return {
        message: 'this is not valid YAML',
        hint: 'Check quotes, brackets and colons on this line and the one before.',
      }
  }
}
