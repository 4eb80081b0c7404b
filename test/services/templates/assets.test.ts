import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type Assets, loadAssets } from '../../../services/templates/assets.ts'
import { folderOf } from './fixtures.ts'

const assetsOf = (t: ExecutionContext, files: Record<string, string>): Assets =>
  loadAssets([join(folderOf(t, files).path, 'assets')])

const read = (assets: Assets, name: string): string => String(assets.at(assets.path(name))?.bytes)

test('rewrites imports of scripts to hashed paths', t => {
  const files = (text: string) => ({
    'assets/a.js': `import { b } from './lib/b.js'\nexport * from "./lib/c.js"\nimport 'elsewhere'\nconst d = './lib/b.js'\n`,
    'assets/lib/b.js': `import '../lib/c.js'\nexport const b = 1\n`,
    'assets/lib/c.js': text,
  })
  const first = assetsOf(t, files('export const c = 1'))
  t.is(
    read(first, 'a.js'),
    `import { b } from '${first.path('lib/b.js')}'\nexport * from "${first.path('lib/c.js')}"\n` +
      `import 'elsewhere'\nconst d = './lib/b.js'\n`,
  )
  t.regex(read(first, 'lib/b.js'), /^import '\/assets\/lib\/c\.[0-9a-f]{16}\.js'$/m)
  const second = assetsOf(t, files('export const c = 2'))
  for (const name of ['a.js', 'lib/b.js', 'lib/c.js']) t.not(second.path(name), first.path(name))
})

test('rejects circular imports of scripts', t => {
  const files = {
    'assets/a.js': `import './b.js'\n`,
    'assets/b.js': `import './a.js'\n`,
  }
  t.throws(() => assetsOf(t, files), { message: /a\.js → b\.js → a\.js/ })
})

test('keeps imports of unknown files', t => {
  const assets = assetsOf(t, { 'assets/a.js': `import './gone.js'\n` })
  t.is(read(assets, 'a.js'), `import './gone.js'\n`)
})

test('rewrites URLs of fonts and images in styles', t => {
  const files = {
    'assets/a.css': `@font-face { src: url('./fonts/serif.woff2') } b { background: url(./dot.svg) } i { background: url(data:,) }`,
    'assets/fonts/serif.woff2': 'font',
    'assets/dot.svg': '<svg/>',
  }
  const assets = assetsOf(t, files)
  t.is(
    read(assets, 'a.css'),
    `@font-face { src: url('${assets.path('fonts/serif.woff2')}') } b { background: url(${assets.path('dot.svg')}) } i { background: url(data:,) }`,
  )
})
