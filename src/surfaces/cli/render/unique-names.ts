/** The names, those that repeat with `_2`, `_3` behind them so that no two are the same. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  const given = new Set(names)
  return names.map((name) => {
    let free = name
    for (let count = 2; taken.has(free) || (free !== name && given.has(free)); count++) free = `${name}_${count}`
    taken.add(free)
    return free
  })
}
