import { relative } from 'node:path'
import { SECOND } from '../kernel/base/index.ts'
import type { Kernel } from '../kernel/runtime/index.ts'
import { paint } from './shell.ts'

type Row = readonly [name: string, value: string]
/** Pages listed after a start, if the recipe has them. */
const LINKS: readonly Row[] = [
  ['mailbox', '/mailbox'],
  ['console', '/console'],
]

export interface ReportOptions {
  /** Undefined for a worker. */
  readonly url: string | undefined
  /** The base URL of the port for health checks and metrics. */
  readonly monitoringUrl?: string | undefined
  /** Behind a proxy, people use the public URL, and not that of the process. */
  readonly behindProxy: boolean
  /** In milliseconds. */
  readonly elapsed: number
}

export function report(
  { inspector, product, place, checked }: Pick<Kernel, 'inspector' | 'product' | 'place' | 'checked'>,
  { url, monitoringUrl, behindProxy, elapsed }: ReportOptions,
): string {
  const modules = inspector.modules()
  const paths = new Set(modules.flatMap(({ pages, routes }) => [...pages, ...routes].map(({ path }) => path)))
  const links = [
    ...(checked.value.docs === false ? [] : [['docs', '/docs'] as const]),
    ...LINKS.filter(([, path]) => paths.has(path)),
  ]
  const running = modules.filter(({ state }) => state === 'running').map(({ name }) => name)
  const rows: Row[] = [
    ...(url ? links.map(([name, path]): Row => [name, (behindProxy ? product.publicUrl : url) + path]) : []),
    ...(url && !behindProxy && pointsElsewhere(product.publicUrl, url)
      ? [publicUrlWarning(product.publicUrl, url)]
      : []),
    ...(monitoringUrl === undefined ? [] : [['metrics', `${monitoringUrl}/metrics`] as const]),
    ['database', place],
    ['recipe', shortPath(checked.file)],
    ['modules', running.join(', ')],
    ...modules.flatMap(({ name, state, reason }): Row[] =>
      state === 'failed' ? [['skipped', `${name}: ${reason}`]] : [],
    ),
    ['ready in', `${(elapsed / SECOND).toFixed(1)} s`],
  ]
  const head = url ? `${product.name} is running at ${url}` : `${product.name} worker is running`
  const lines = rows.map(([name, value]) => `  ${name.padEnd(10)}${value}`)
  return [paint('bold', head, process.stderr), ...lines].join('\n')
}

/** Returns true if links would point to this machine but to a port that this process doesn't use. */
function pointsElsewhere(publicUrl: string, url: string): boolean {
  const named = new URL(publicUrl)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(named.hostname)
  return isHere && named.protocol === 'http:' && (named.port || '80') !== (new URL(url).port || '80')
}

const publicUrlWarning = (publicUrl: string, url: string): Row => [
  'links',
  `in emails point to ${publicUrl}, not to this process. Set PUBLIC_URL=http://localhost:${new URL(url).port}`,
]

function shortPath(file: string): string {
  const near = relative(process.cwd(), file)
  return near.startsWith('..') ? file : near
}
