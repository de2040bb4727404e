const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something else has its name',
  EIO: 'the disk answers with an error',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'it is not there',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of its path is no folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
}

/** Why a file operation failed, for people: without the path. */
export function ioReason(error: unknown): string {
  const code = errorCode(error)
  return code === undefined ? 'the file system refused' : (reasons[code] ?? `error ${code}`)
}

/** `ENOENT` and its like; undefined for an error that is not of the file system. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
