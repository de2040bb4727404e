import { randomBytes } from 'node:crypto'
import { QuerentError } from '../errors/querent-error.js'

/** Bounds on what is stored for callers. */
export interface HandleLimits {
  /** Entries of one caller. */
  readonly maxCount: number
  /** Bytes of one caller. */
  readonly maxBytes: number
  /** Entries and bytes of all callers. */
  readonly maxTotalCount: number
  readonly maxTotalBytes: number
  /** An entry goes this long after its last use … */
  readonly idleMs: number
  /** … and this long after it was made, used or not. */
  readonly maxAgeMs: number
}

export interface HandleTableOptions<Value> {
  /** For messages: `result`. */
  readonly thing: string
  /** Start of each id, such as `r`. */
  readonly prefix: string
  readonly limits: HandleLimits
  /** Not worth keeping once nobody holds it. Default: everything is. */
  readonly isEmpty?: (value: Value) => boolean
  /** Called once per entry, when it goes. */
  readonly onRemoved: (value: Value) => void
  readonly nowMs?: () => number
}

/** An entry that cannot go while it is held. */
export interface Lease<Value> {
  readonly id: string
  readonly value: Value
  /** More than once changes nothing. */
  release(): void
}

interface Entry<Value> {
  readonly id: string
  readonly owner: string
  value: Value
  readonly createdMs: number
  usedMs: number
  leases: number
  /** Goes when the last lease ends. */
  doomed: boolean
}

/** 128 random bits: nobody guesses an id. */
const idBytes = 16
const longestId = 64

/** Values by unguessable id, each with an owner and an expiry that are checked at each use. */
export class HandleTable<Value extends { readonly bytes: number }> {
  /** In order of last use, the oldest first. */
  private readonly entries = new Map<string, Entry<Value>>()
  private readonly nowMs: () => number

  constructor(private readonly options: HandleTableOptions<Value>) {
    this.nowMs = options.nowMs ?? Date.now
  }

  /**
   * A new entry, held. Entries unused for longest make room for it; while all are in use there may be more than
   * `maxCount` of them, as many as queries run.
   */
  add(owner: string, make: (id: string) => Value): Lease<Value> {
    this.removeExpired()
    const id = `${this.options.prefix}_${randomBytes(idBytes).toString('base64url')}`
    const now = this.nowMs()
    const entry = { id, owner, value: make(id), createdMs: now, usedMs: now, leases: 0, doomed: false }
    this.entries.set(id, entry)
    const lease = this.hold(entry)
    this.makeRoom(owner)
    return lease
  }

  /** Throws `state.not_found`: with one text, whether the id never was, has expired, or is another caller's. */
  use(owner: string, id: string): Lease<Value> {
    const entry = this.find(owner, id)
    if (entry === undefined) throw new QuerentError('state.not_found', { thing: this.options.thing, id: shown(id) })
    entry.usedMs = this.nowMs()
    this.entries.delete(id)
    this.entries.set(id, entry)
    return this.hold(entry)
  }

  has(owner: string, id: string): boolean {
    return this.find(owner, id) !== undefined
  }

  /**
   * Changes a held entry's value, its `bytes` among it, and lets others go until all bounds hold again. false: they cannot hold while
   * what is there is in use; whoever updates decides what goes.
   */
  change(id: string, change: (value: Value) => Value): boolean {
    const entry = this.entries.get(id)
    if (entry === undefined) return false
    entry.value = change(entry.value)
    return this.makeRoom(entry.owner)
  }

  /** Bytes that the entry may come to while the entries in use stay. */
  room(id: string): number {
    const entry = this.entries.get(id)
    if (entry === undefined) return 0
    let own = 0
    let total = 0
    for (const other of this.entries.values()) {
      if (other === entry || other.leases === 0) continue
      total += other.value.bytes
      if (other.owner === entry.owner) own += other.value.bytes
    }
    const { maxBytes, maxTotalBytes } = this.options.limits
    return Math.max(0, Math.min(maxBytes - own, maxTotalBytes - total))
  }

  /** Lets an entry go; now, or when its last lease ends. */
  remove(id: string): void {
    const entry = this.entries.get(id)
    if (entry !== undefined) this.doom(entry)
  }

  removeExpired(): void {
    const now = this.nowMs()
    const { idleMs, maxAgeMs } = this.options.limits
    for (const entry of this.entries.values()) {
      const idle = entry.leases === 0 && now - entry.usedMs >= idleMs
      if (idle || now - entry.createdMs >= maxAgeMs) this.doom(entry)
    }
  }

  /** Lets everything go, what is in use as well. */
  clear(): void {
    for (const entry of this.entries.values()) this.options.onRemoved(entry.value)
    this.entries.clear()
  }

  private find(owner: string, id: string): Entry<Value> | undefined {
    this.removeExpired()
    const entry = this.entries.get(id)
    return entry === undefined || entry.owner !== owner || entry.doomed ? undefined : entry
  }

  private hold(entry: Entry<Value>): Lease<Value> {
    entry.leases++
    let held = true
    return {
      id: entry.id,
      get value() {
        return entry.value
      },
      release: () => {
        if (!held) return
        held = false
        entry.leases--
        entry.usedMs = this.nowMs()
        if (entry.leases === 0 && (entry.doomed || this.options.isEmpty?.(entry.value) === true)) this.drop(entry)
      },
    }
  }

  private makeRoom(owner: string): boolean {
    const { maxCount, maxBytes, maxTotalCount, maxTotalBytes } = this.options.limits
    const own = this.shrink((entry) => entry.owner === owner, maxCount, maxBytes)
    return this.shrink(() => true, maxTotalCount, maxTotalBytes) && own
  }

  /** Lets the entries go that were unused for longest. */
  private shrink(counts: (entry: Entry<Value>) => boolean, maxCount: number, maxBytes: number): boolean {
    const entries = [...this.entries.values()].filter((entry) => !entry.doomed && counts(entry))
    let count = entries.length
    let bytes = entries.reduce((sum, entry) => sum + entry.value.bytes, 0)
    for (const entry of entries) {
      if (count <= maxCount && bytes <= maxBytes) return true
      if (entry.leases > 0) continue
      this.drop(entry)
      count--
      bytes -= entry.value.bytes
    }
    return count <= maxCount && bytes <= maxBytes
  }

  private doom(entry: Entry<Value>): void {
    entry.doomed = true
    if (entry.leases === 0) this.drop(entry)
  }

  private drop(entry: Entry<Value>): void {
    if (this.entries.delete(entry.id)) this.options.onRemoved(entry.value)
  }
}

/** Ids come from callers: what cannot be one is not repeated. */
function shown(id: string): string {
  return id.length <= longestId && /^[\w-]+$/.test(id) ? id : 'of this name'
}
