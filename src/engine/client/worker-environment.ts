/** What a process needs to run at all on Windows. */
const windowsVariables = ['SystemRoot', 'TEMP', 'TMP']

/** Threads beyond the queries' own: planning, files, DNS. */
const spareThreads = 8
const mostThreads = 1024

/** The worker's environment: no variable of the parent's that could carry a secret. */
export function workerEnvironment(maxConcurrentQueries: number): Record<string, string> {
  const environment: Record<string, string> = {
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    UV_THREADPOOL_SIZE: String(Math.min(mostThreads, maxConcurrentQueries + spareThreads)),
  }
  for (const name of windowsVariables) {
    const value = process.env[name]
    if (process.platform === 'win32' && value !== undefined) environment[name] = value
  }
  return environment
}
