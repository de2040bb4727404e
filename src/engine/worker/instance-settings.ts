/** How the worker runs, as its parent said at the start. */
export interface WorkerSettings {
  readonly threads: number
  /** DuckDB's `memory_limit` of each instance. */
  readonly memoryLimitBytes: number
  /** Most that one instance may spill to disk. */
  readonly maxTempBytes: number
  /** The operator's own statements, for executing instances. */
  readonly initSql?: string
}

/**
 * DuckDB binds a chain of n operators in more than quadratic time: 900 terms of `1+1` take 25 s, 250 a quarter of a
 * second. Chains of AND and OR are flat and do not count.
 */
export const maxExpressionDepth = 250

/** Set when an instance is made, before anything runs on it. */
export function startOptions(settings: WorkerSettings): Record<string, string> {
  return {
    threads: String(settings.threads),
    memory_limit: `${Math.floor(settings.memoryLimitBytes / 1024)}KiB`,
    max_expression_depth: String(maxExpressionDepth),
    errors_as_json: 'true',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    allow_persistent_secrets: 'false',
  }
}

/** P9: what changes the meaning of SQL, equal on planning and executing instances. */
export const meaningSettings = [
  "SET TimeZone = 'UTC'",
  "SET Calendar = 'gregorian'",
  "SET default_collation = ''",
  "SET default_null_order = 'NULLS_LAST'",
  "SET default_order = 'ASC'",
  'SET integer_division = false',
  'SET ieee_floating_point_ops = true',
  'SET scalar_subquery_error_on_multiple_rows = true',
]

/** P20: with it DuckDB 1.5.6 answers wrong rows. */
export const executingDisabledOptimizers: readonly string[] = ['join_filter_pushdown']

/** P1: all others make json_serialize_plan fail or hide filters. */
const planningOptimizers = [
  'expression_rewriter',
  'filter_pullup',
  'filter_pushdown',
  'cte_filter_pusher',
  'deliminator',
  'limit_pushdown',
  'top_n',
  'cte_inlining',
]

/** P2: the optimizers that a fallback level keeps. */
export function enabledPlanningOptimizers(level: 0 | 1): ReadonlySet<string> {
  return new Set(level === 0 ? planningOptimizers : planningOptimizers.filter((name) => name !== 'cte_inlining'))
}
