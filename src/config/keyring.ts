import { z } from 'zod'

/** Optional: people who keep secrets in the system's keyring install it beside Querent. */
const keyringPackage = '@napi-rs/keyring'

interface KeyringEntry {
  getPassword(): string | null | undefined
}

type KeyringEntryClass = new (service: string, name: string) => KeyringEntry

const keyringModule = z.object({
  Entry: z.custom<KeyringEntryClass>((value) => typeof value === 'function'),
})

/** The secret `name` of `service` in the system's keyring, or why it is not there. */
export async function readKeyring(
  service: string,
  name: string,
): Promise<{ readonly value: string } | { readonly missing: string }> {
  const place = `keyring (service ${service})`
  let Entry: KeyringEntryClass
  try {
    const loaded: unknown = await import(keyringPackage)
    Entry = keyringModule.parse(loaded).Entry
  } catch {
    return { missing: `${place}: needs the npm package ${keyringPackage}, which is not installed beside Querent` }
  }
  try {
    const value = new Entry(service, name).getPassword()
    return typeof value === 'string' && value !== '' ? { value } : { missing: `${place}: it has no entry ${name}` }
  } catch {
    return { missing: `${place}: the system's keyring does not answer` }
  }
}
