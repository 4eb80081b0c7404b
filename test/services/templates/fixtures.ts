import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExecutionContext } from 'ava'
import type { Product } from '../../../kernel/contract/ports.ts'

/** A temporary folder with these files. */
export function folderOf(t: ExecutionContext, files: Readonly<Record<string, string>>): { path: string; url: URL } {
  const path = mkdtempSync(join(tmpdir(), 'larder-templates-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return { path, url: pathToFileURL(`${path}/`) }
}

export const PRODUCT: Product = {
  key: 'acme',
  name: 'Acme & Sons',
  publicUrl: 'https://acme.test',
  locales: { default: 'en', available: ['en', 'de'] },
  production: false,
  audience: 'teams',
}

/** The shipped theme. Tests run in the root of the package. */
export const SHIPPED_THEME = join(process.cwd(), 'themes', 'default')

/** Tokens of the recipe. */
export const TOKENS = { accent: '#123456' }
