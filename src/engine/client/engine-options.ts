export interface EngineOptions {
  /** Threads of DuckDB. */
  readonly threads: number
  /**
   * DuckDB's memory limit of each instance; a caller's queries share one. The worker as a whole is ended when its
   * resident memory passes 1.25 times this plus 512 MiB: values such as long lists escape DuckDB's limit.
   */
  readonly memoryLimitBytes: number
  /** Queries that run at once; decides the size of the worker's thread pool (P40). */
  readonly maxConcurrentQueries: number
  /** Most that one caller's queries may spill to disk. Default 16 GiB. */
  readonly maxTempBytes?: number
  /** The operator's own statements; each instance that runs queries begins with them, before its fence is closed. */
  readonly initSql?: string
  /** A private folder; made with mode 0700. */
  readonly stateDir: string
  /** What the worker prints, and why it was ended. */
  readonly onLog: (line: string) => void
}
