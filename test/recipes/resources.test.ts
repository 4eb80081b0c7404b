/** The resources of all shipped recipes are correct, and their texts translated. */
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { pino } from 'pino'
import { checkFile, readSettings } from '../../bin/composition.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Caller, Ports } from '../../kernel/index.ts'
import { inspectRecipe } from '../../kernel/runtime/index.ts'
import type { ListedResource } from '../../modules/platform/routes/resource-schemas.ts'
import { createResourceCatalog } from '../../modules/platform/services/resource-catalog.ts'
import { loadTexts } from '../../services/templates/texts.ts'

const recipes = readdirSync(new URL('recipes/', packageRoot)).filter(name => name.endsWith('.yaml'))
/** The same word in English and German. */
const SAME = [
  'Version',
  'Name',
  'Status',
  'Slug',
  'Code',
  'URL',
  'ID',
  'Token',
  'Text',
  'HTML',
  'Schema',
  'SEO',
  'FPS',
  'Revision',
  'Browser',
  'Spam',
  'Stream',
  'Streams',
  'Workspace',
  'Workspaces',
  'Person',
  'Job',
  'Jobs',
]

const modules = readdirSync(new URL('modules/', packageRoot))
const locales = ['themes/default', ...modules.map(module => `modules/${module}`)]
const texts = loadTexts(locales.map(folder => fileURLToPath(new URL(`${folder}/locales`, packageRoot))))
const translate = (locale: string, text: string) => String(texts(locale, text))

const operator = { kind: 'login', can: () => true, permissions: ['*'], roles: [] } as unknown as Caller

async function inspect<T>(name: string, read: (ports: Readonly<Ports>) => T): Promise<T> {
  const checked = await checkFile(fileURLToPath(new URL(`recipes/${name}`, packageRoot)), {})
  return inspectRecipe({ checked, settings: readSettings({}), log: pino({ level: 'silent' }) }, read)
}

for (const name of recipes)
  test.serial(`resources of ${name} are correct, have an icon and are translated`, async t => {
    const [english, german] = await inspect(name, ports => {
      const { http, registry, theme, product } = ports
      const catalog = createResourceCatalog({ http, registry, product, theme: { ...theme, text: translate } })
      t.notThrows(() => catalog.check())
      return [catalog.list(operator, 'en'), catalog.list(operator, 'de')] as const
    })
    t.true(english.length > 10)
    for (const { id, icon } of english)
      t.true(existsSync(new URL(`node_modules/lucide-react/dist/esm/icons/${icon}.mjs`, packageRoot)), `${id}: ${icon}`)
    const untranslated = english.flatMap((resource, index) =>
      textsOf(resource).filter(
        (text, at) => textsOf(german[index] as ListedResource)[at] === text && !SAME.includes(text),
      ),
    )
    t.deepEqual([...new Set(untranslated)].sort(), [])
  })

/** The recipe has the texts of its collections in its own languages. */
const textsOf = ({ module, title, singular, labels, actions }: ListedResource): string[] => [
  ...(module === 'collections' ? [] : [title, singular, ...Object.values(labels)]),
  ...actions.flatMap(action => [action.title, action.confirm ?? '']).filter(Boolean),
]
