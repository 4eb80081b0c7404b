import { relative } from 'node:path'
import type { Kernel } from '../kernel/kernel.ts'
import { SECOND } from '../kernel/units.ts'
import { paint } from './shell.ts'

/** What somebody who just started it wants to click. `elapsed` in milliseconds. */
export function report(
  kernel: Pick<Kernel, 'inspector' | 'product' | 'place' | 'checked'>,
  url: string | undefined,
  elapsed: number,
): string {
  const modules = kernel.inspector.modules()
  const page = (name: string, path: string): [string, string][] =>
    url && modules.some(({ pages, routes }) => [...pages, ...routes].some(entry => entry.path === path))
      ? [[name, `${url}${path}`]]
      : []
  const running = modules.filter(({ state }) => state === 'running').map(({ name }) => name)
  const rows: [string, string][] = [
    ...(url ? [['docs', `${url}/docs`] as [string, string]] : []),
    ...page('mailbox', '/mailbox'),
    ...page('console', '/console'),
    ['database', kernel.place],
    ['recipe', relative(process.cwd(), kernel.checked.file) || kernel.checked.file],
    ['modules', running.join(', ')],
    ...modules.filter(({ state }) => state === 'failed').map(failedRow),
    ['ready in', `${(elapsed / SECOND).toFixed(1)} s`],
  ]
  const head = url
    ? `${kernel.product.name} answers at ${url}`
    : `${kernel.product.name}'s worker drains events and jobs`
  return [paint('bold', head, process.stderr), ...rows.map(([name, value]) => `  ${name.padEnd(10)}${value}`)].join(
    '\n',
  )
}

const failedRow = ({ name, reason }: { name: string; reason?: string }): [string, string] => [
  'without',
  `${name}: ${reason ?? 'it failed'}`,
]
