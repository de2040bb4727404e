import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { QuerentError } from '../errors/querent-error.js'
import { isTreeNode, mapTree, type TreeNode } from '../model/tree.js'
import { parseLossless, stringifyLossless } from '../util/lossless-json.js'
import { checkTree } from './check-tree.js'
import { fileReferenceOf } from './file-reference.js'
import { maxExpressionDepth } from './limits.js'
import { answerPivot, maxPivotValues, nextPivotQuestion } from './pivot-question.js'
import { classifyStatement } from './statement.js'

let instance: DuckDBInstance
let connection: DuckDBConnection
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

async function one(sql: string, value: string): Promise<string> {
  const reader = await connection.runAndReadAll(sql, [value])
  const text: unknown = reader.getRowsJson()[0]?.[0]
  return typeof text === 'string' ? text : ''
}

async function parse(sql: string): Promise<TreeNode> {
  const printed = await one('SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_default := true)', sql)
  const tree = parseLossless(printed)
  if (!isTreeNode(tree)) throw new TypeError(printed)
  return tree
}

async function deparse(tree: TreeNode): Promise<string> {
  return one('SELECT json_deserialize_sql($1::JSON)', stringifyLossless(tree))
}

async function failure(sql: string): Promise<QuerentError> {
  const form = classifyStatement(sql)
  const tree = await parse(form.sql)
  try {
    checkTree(tree, { text: form })
  } catch (error) {
    if (error instanceof QuerentError) return error
    throw error
  }
  throw new TypeError(`not refused: ${sql}`)
}

describe('checkTree', () => {
  test('hands on what the resolver needs', async () => {
    const sql = `SELECT $b, $a, now(), random() FROM read_csv('x.csv', header = true, types := {'a': 'INT'}),
      parquet_scan(['a', 'b']) WHERE $a`
    const checked = checkTree(await parse(sql))
    expect(checked).toMatchObject({
      parameters: ['b', 'a'],
      usesClock: true,
      usesChance: true,
      files: [
        { function: 'read_csv', format: 'csv', paths: ['x.csv'], options: { header: true, types: { a: 'INT' } } },
        { function: 'parquet_scan', format: 'parquet', paths: ['a', 'b'], options: {} },
      ],
    })
  })

  test.each([
    ['SELECT 1', false, false],
    ['SELECT current_date', true, false],
    ['SELECT LOCALTIME', true, false],
    ['SELECT uuid()', false, true],
    ['FROM t TABLESAMPLE 1%', false, true],
    ["FROM 'a.csv' USING SAMPLE 1 ROWS", false, true],
  ])('knows that %s depends on the clock or on chance', async (sql, usesClock, usesChance) => {
    expect(checkTree(await parse(sql))).toMatchObject({ usesClock, usesChance })
  })

  test('spells methods as calls, so that no catalog is asked for them', async () => {
    const tree = await parse('SELECT a.upper(), t.a.lower(), a.sum() OVER (), list_value(1), [1] FROM t')
    expect(await deparse(checkTree(tree).tree)).toBe(
      'SELECT upper(a), lower(t.a), sum(a) OVER (), list_value(1), main.list_value(1) FROM t',
    )
  })

  test('leaves every other tree as it is', async () => {
    const tree = await parse('SELECT x -> x + 1, sum(a) FILTER (b) FROM t, u USING SAMPLE 3 ROWS')
    expect(checkTree(tree).tree).toBe(tree)
  })

  test.each([
    ["SELECT 'é🎉', getenv('A')", 'policy.function', 14],
    ['SELECT 1 FROM a, glob(1)', 'policy.table_function', 17],
    ['SELECT 1 FROM a, sqlite_master', 'policy.reference', 17],
    ['SELECT 1, current_catalog', 'policy.reference', 10],
    ["SELECT 1 FROM a, read_csv('a' || 'b')", 'policy.file_argument', 17],
    ["EXPLAIN /* é */ SELECT getenv('A')", 'policy.function', 23],
    ["PIVOT t ON a USING getenv('A')", 'policy.function', 19],
  ])('says where %s fails', async (sql, code, position) => {
    expect(await failure(sql)).toMatchObject({ code, position })
  })

  test('says what to write instead', async () => {
    expect((await failure("SELECT * FROM read_text('x')")).hint).toContain('read_csv')
    expect((await failure("SELECT read_csv('x')")).hint).toBe('Use read_csv in FROM.')
    expect((await failure("SELECT getvariable('x')")).hint).toContain('$name')
    expect((await failure("FROM read_csv('x', filenam = true)")).hint).toContain('hive_partitioning')
  })

  test('refuses every node with a key or kind that nobody has judged', async () => {
    const tree = await parse(
      `WITH c AS (SELECT 1) SELECT CASE WHEN a IN (1) THEN sum(b ORDER BY c) OVER (ORDER BY d) END, x::INT[], * REPLACE (1 AS q)
       FROM (VALUES (1)) v JOIN range(3) ON true PIVOT (sum(z) FOR y IN (1)) ORDER BY 1 LIMIT 1`,
    )
    checkTree(tree)
    let nodes = 0
    mapTree(tree, () => {
      nodes++
      return undefined
    })
    let unknownKeys = 0
    for (let number = 0; number < nodes; number++) {
      let seen = 0
      const changed = mapTree(tree, (node) => (seen++ === number ? { ...node, unjudged: {} } : undefined))
      // Constants hold values, never nodes.
      if (!isRefused(changed)) unknownKeys++
    }
    const values = JSON.stringify(tree).split('"is_null"').length - 1
    const valueTypes = values
    expect(unknownKeys).toBe(values + valueTypes)
    const kinds = /^(?:class|type)$/
    for (const key of ['SELECT_NODE', 'JOIN', 'CASE', 'FUNCTION', 'WINDOW', 'PIVOT', 'LIMIT_MODIFIER', 'COMPARE_IN']) {
      const changed = mapTree(tree, (node) => {
        const hit = Object.keys(node).find((name) => kinds.test(name) && node[name] === key)
        return hit === undefined ? undefined : { ...node, [hit]: 'UNJUDGED' }
      })
      expect(isRefused(changed), key).toBe(true)
    }
  })

  function isRefused(tree: TreeNode): boolean {
    try {
      checkTree(tree)
      return false
    } catch (error) {
      return error instanceof QuerentError
    }
  }

  test('refuses what is not one statement', async () => {
    expect(() => checkTree({})).toThrow(QuerentError)
    expect(() => checkTree({ error: true, error_message: 'x' })).toThrow('no parse tree')
    expect(() => checkTree({ error: false, statements: [] })).toThrow('The SQL is empty.')
    const two = await parse('SELECT 1; SELECT 2')
    expect(() => checkTree(two)).toThrow('several statements')
  })

  test('has an honest end of depth', async () => {
    const sum = (terms: number): string => `SELECT ${Array(terms).fill('1').join(' + ')}`
    checkTree(await parse(sum(maxExpressionDepth)))
    expect(await failure(sum(maxExpressionDepth + 5))).toMatchObject({ code: 'sql.too_deep' })
    expect(await failure(sum(900))).toMatchObject({ code: 'sql.too_deep' })
    checkTree(await parse(Array(400).fill('SELECT 1').join(' UNION ALL ')))
    checkTree(await parse(`SELECT ${Array(5_000).fill('a = 1').join(' OR ')} FROM t`))
    let deep: TreeNode = { class: 'COLUMN_REF', type: 'COLUMN_REF', column_names: ['a'] }
    for (let level = 0; level < 100_000; level++) deep = { class: 'CAST', type: 'OPERATOR_CAST', child: deep }
    const node = { type: 'SELECT_NODE', select_list: [deep], from_table: { type: 'EMPTY' } }
    expect(() => checkTree({ error: false, statements: [{ node }] })).toThrow('nests more than')
  })
})

describe('fileReferenceOf', () => {
  test('is undefined for everything but a file function in FROM', async () => {
    const tree = await parse("SELECT 1 FROM t, range(3), read_csv('a', nullstr = ['x', NULL])")
    const found: unknown[] = []
    mapTree(tree, (node) => {
      const file = fileReferenceOf(node)
      if (file !== undefined) found.push(file)
      return undefined
    })
    expect(found).toEqual([{ function: 'read_csv', format: 'csv', paths: ['a'], options: { nullstr: ['x', null] } }])
  })
})

describe('pivot questions', () => {
  async function formOf(sql: string): Promise<TreeNode> {
    return parse(classifyStatement(sql).sql)
  }

  test('ask for the distinct values under the WITH clauses in sight', async () => {
    const tree = await formOf('WITH a AS (FROM t), p AS (PIVOT a ON b || $x USING sum(c)), z AS (SELECT $y) FROM p, z')
    const question = nextPivotQuestion(tree)
    expect(question).toBeDefined()
    if (question === undefined) return
    checkTree(question.tree)
    expect(await deparse(question.tree)).toBe(
      'WITH a AS (SELECT * FROM t)SELECT * FROM (SELECT DISTINCT CAST((b || $x) AS VARCHAR) FROM a WHERE ((b || $x) IS NOT NULL))',
    )
    const answered = answerPivot(tree, question, ['ü', 'b', "o'clock", 'b'])
    expect(nextPivotQuestion(answered)).toBeUndefined()
    expect(await deparse(answered)).toContain("IN ('b', 'o''clock', 'ü')")
    expect(checkTree(answered).parameters.toSorted()).toEqual(['x', 'y'])
  })

  test('come one by one, innermost first', async () => {
    let tree = await formOf('PIVOT (PIVOT t ON a USING sum(b)) ON c, d USING count(*)')
    const asked: string[] = []
    for (let question = nextPivotQuestion(tree); question !== undefined; question = nextPivotQuestion(tree)) {
      asked.push((await deparse(question.tree)).replace(/ FROM .*/, ''))
      tree = answerPivot(tree, question, ['1'])
    }
    expect(asked).toEqual(['a', 'c', 'd'].map((name) => `SELECT DISTINCT CAST(${name} AS VARCHAR)`))
  })

  test('have a limit to their answers', async () => {
    const tree = await formOf('PIVOT t ON a')
    const question = nextPivotQuestion(tree)
    const values = Array.from({ length: maxPivotValues + 1 }, (_, index) => String(index))
    expect(() => question && answerPivot(tree, question, values)).toThrow(QuerentError)
  })
})
