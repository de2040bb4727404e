import type { TreeNode } from '../../model/tree.js'
import { displayIdentifier } from '../../util/sql-text.js'
import { expressionClass } from './expression.js'
import { constantSql } from './filter-sql.js'
import { indexAt, nodeAt, nodesAt, textAt } from './plan-json.js'
import { readConstant } from './read-constant.js'
import { typeName } from './type-name.js'

const comparisons: Readonly<Record<string, string>> = {
  COMPARE_EQUAL: '=',
  COMPARE_NOTEQUAL: '<>',
  COMPARE_LESSTHAN: '<',
  COMPARE_LESSTHANOREQUALTO: '<=',
  COMPARE_GREATERTHAN: '>',
  COMPARE_GREATERTHANOREQUALTO: '>=',
  COMPARE_DISTINCT_FROM: 'IS DISTINCT FROM',
  COMPARE_NOT_DISTINCT_FROM: 'IS NOT DISTINCT FROM',
}

/** A bound condition for people to read; undefined where a part of it has no short text. */
export function expressionText(
  expression: TreeNode,
  nameOf: (position: number) => string | undefined,
): string | undefined {
  return new ExpressionPrinter(nameOf).print(expression)
}

class ExpressionPrinter {
  readonly #nameOf: (position: number) => string | undefined

  constructor(nameOf: (position: number) => string | undefined) {
    this.#nameOf = nameOf
  }

  print(expression: TreeNode | undefined): string | undefined {
    if (expression === undefined) return undefined
    const children = nodesAt(expression, 'children')
    switch (expressionClass(expression)) {
      case 'BOUND_REF': {
        const name = this.#nameOf(indexAt(expression, 'index'))
        return name === undefined ? undefined : displayIdentifier(name)
      }
      case 'BOUND_CONSTANT': {
        const constant = readConstant(nodeAt(expression, 'value') ?? {})
        return constant && constantSql(constant)
      }
      case 'BOUND_CAST':
        return wrap(this.print(nodeAt(expression, 'child')), `CAST(`, ` AS ${castType(expression)})`)
      case 'BOUND_COMPARISON': {
        const operator = comparisons[textAt(expression, 'type')]
        const sides = [nodeAt(expression, 'left'), nodeAt(expression, 'right')]
        return operator === undefined ? undefined : this.#list(sides, ` ${operator} `)
      }
      case 'BOUND_CONJUNCTION':
        return wrap(this.#list(children, textAt(expression, 'type') === 'CONJUNCTION_OR' ? ' OR ' : ' AND '), '(', ')')
      case 'BOUND_FUNCTION':
        return this.#call(textAt(expression, 'name'), children)
      case 'BOUND_OPERATOR':
        return this.#operator(textAt(expression, 'type'), children)
      default:
        return undefined
    }
  }

  #call(name: string, children: readonly TreeNode[]): string | undefined {
    if (/^\w+$/.test(name)) return wrap(this.#list(children, ', '), `${name}(`, ')')
    return children.length === 2 ? wrap(this.#list(children, ` ${name} `), '(', ')') : undefined
  }

  #operator(type: string, children: readonly TreeNode[]): string | undefined {
    const first = this.print(children[0])
    switch (type) {
      case 'OPERATOR_NOT':
        return wrap(first, 'NOT ', '')
      case 'OPERATOR_IS_NULL':
        return wrap(first, '', ' IS NULL')
      case 'OPERATOR_IS_NOT_NULL':
        return wrap(first, '', ' IS NOT NULL')
      case 'COMPARE_IN':
      case 'COMPARE_NOT_IN': {
        const operator = type === 'COMPARE_IN' ? 'IN' : 'NOT IN'
        const list = wrap(this.#list(children.slice(1), ', '), `${operator} (`, ')')
        return first === undefined || list === undefined ? undefined : `${first} ${list}`
      }
      default:
        return undefined
    }
  }

  #list(parts: readonly (TreeNode | undefined)[], separator: string): string | undefined {
    const texts = parts.map((part) => this.print(part))
    return texts.every((text) => text !== undefined) ? texts.join(separator) : undefined
  }
}

function castType(expression: TreeNode): string {
  return typeName(nodeAt(expression, 'return_type') ?? {})
}

function wrap(text: string | undefined, before: string, after: string): string | undefined {
  return text === undefined ? undefined : before + text + after
}
