import { relative } from 'node:path'
import { SECOND } from '../kernel/base/index.ts'
import type { Kernel } from '../kernel/runtime/index.ts'
import { paint } from './shell.ts'

type Row = readonly [name: string, value: string]
/** Pages that somebody who has just started it wants to click, where the recipe has them. */
const LINKS: readonly Row[] = [
  ['mailbox', '/mailbox'],
  ['console', '/console'],
]

/** `url` is undefined for a worker; `elapsed` in milliseconds. */
export function report(
  { inspector, product, place, checked }: Pick<Kernel, 'inspector' | 'product' | 'place' | 'checked'>,
  url: string | undefined,
  elapsed: number,
): string {
  const modules = inspector.modules()
  const paths = new Set(modules.flatMap(({ pages }) => pages.map(({ path }) => path)))
  const links = [
    ...(checked.value.docs === false ? [] : [['docs', '/docs'] as const]),
    ...LINKS.filter(([, path]) => paths.has(path)),
  ]
  const running = modules.filter(({ state }) => state === 'running').map(({ name }) => name)
  const rows: Row[] = [
    ...(url ? links.map(([name, path]): Row => [name, url + path]) : []),
    ...(url && isElsewhere(product.publicUrl, url) ? [elsewhere(product.publicUrl, url)] : []),
    ['database', place],
    ['recipe', shortest(checked.file)],
    ['modules', running.join(', ')],
    ...modules.flatMap(({ name, state, reason }): Row[] =>
      state === 'failed' ? [['without', `${name}: ${reason}`]] : [],
    ),
    ['ready in', `${(elapsed / SECOND).toFixed(1)} s`],
  ]
  const head = url ? `${product.name} answers at ${url}` : `${product.name}'s worker drains events and jobs`
  const lines = rows.map(([name, value]) => `  ${name.padEnd(10)}${value}`)
  return [paint('bold', head, process.stderr), ...lines].join('\n')
}

/** True where links would lead to this machine, and to another port than this process has. */
function isElsewhere(publicUrl: string, url: string): boolean {
  const named = new URL(publicUrl)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(named.hostname)
  return isHere && named.protocol === 'http:' && (named.port || '80') !== (new URL(url).port || '80')
}

const elsewhere = (publicUrl: string, url: string): Row => [
  'links',
  `in mails lead to ${publicUrl}, where this process is not: set PUBLIC_URL=http://localhost:${new URL(url).port}`,
]

function shortest(file: string): string {
  const near = relative(process.cwd(), file)
  return near.startsWith('..') ? file : near
}
