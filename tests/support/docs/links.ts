import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Links of a page to files and headings that are not there. Addresses of others are not asked. */
export function brokenLinks(page: string): readonly string[] {
  const text = withoutCode(readFileSync(page, 'utf8'))
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => !/^[a-z]+:/.test(target) && !isThere(page, target))
}

function isThere(page: string, target: string): boolean {
  const [path = '', heading] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(file) || relative(dirname(file), file) === '') return false
  return heading === undefined || headingsOf(file).includes(heading)
}

function headingsOf(file: string): readonly string[] {
  const lines = withoutCode(readFileSync(file, 'utf8')).split('\n')
  return lines.filter((line) => /^#+ /.test(line)).map(slug)
}

/** As GitHub names a heading. */
function slug(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function withoutCode(text: string): string {
  return text.replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, '')
}
