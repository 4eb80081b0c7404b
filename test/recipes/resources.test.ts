/** The resources of all shipped recipes are correct, and their texts translated. */
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { pino } from 'pino'
import { checkFile, readSettings } from '../../bin/composition.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'
import type { Caller, Ports } from '../../kernel/index.ts'
import { inspectRecipe } from '../../kernel/runtime/index.ts'
import { wordsOf } from '../../modules/platform/domain/property-label.ts'
import type { ListedResource } from '../../modules/platform/records/resource.ts'
import { createResourceCatalog } from '../../modules/platform/services/resource-catalog.ts'
import { listSettings } from '../../modules/platform/services/settings.ts'
import { loadTexts } from '../../services/templates/texts.ts'

const recipes = readdirSync(new URL('recipes/', packageRoot)).filter(name => name.endsWith('.yaml'))
/** The same word in English and German, names of formats and languages. */
const SAME = [
  'Version',
  'Name',
  'Status',
  'Code',
  'URL',
  'ID',
  'Token',
  'Tokens',
  'Details',
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
  'Position',
  'Job',
  'Jobs',
  'Handler',
  'IDs',
  'Layout',
  'Limit',
  'Limits',
  'Link',
  'Optional',
  'SHA-256',
  'Sockets',
  'Rollout',
  'Offline',
  'Live',
  'Manager',
  'Support',
  'Test',
  'Flag',
  'Standard',
  'System',
  'Virus',
  'de',
  'en',
  'gaming',
  'hls',
  'WebRTC (WHEP)',
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
    const [english, german, marked, undescribed] = await inspect(name, ports => {
      const { http, registry, theme, product, operator: tenant, inspector } = ports
      const catalogOf = (text: typeof translate) =>
        createResourceCatalog({ http, registry, product, operator: tenant, theme: { ...theme, text } })
      const catalog = catalogOf(translate)
      t.notThrows(() => catalog.check())
      const marker = catalogOf((_, text) => `${text}!`)
      const listed = catalog.list(operator, 'en')
      const settings = listSettings({ registry, inspector, settings: readSettings({}) })
      const descriptions = settings.flatMap(({ description }) => description ?? [])
      const untranslated = descriptions.filter(text => translate('de', text) === text)
      return [listed, catalog.list(operator, 'de'), marker.list(operator, 'de'), untranslated] as const
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
    const withoutHint = marked.flatMap(({ module, hints }, index) =>
      module === 'collections' ? [] : Object.keys(hints).filter(text => german[index]?.hints[text] === undefined),
    )
    t.deepEqual([...new Set(withoutHint)].sort(), [])
    t.deepEqual(undescribed, [])
    const unnamed = english.flatMap(({ module, states }, index) =>
      Object.entries(states).flatMap(([property, words]) =>
        // The recipe names its plans in its own languages.
        module === 'collections' || property === 'planKey'
          ? []
          : Object.entries(words).flatMap(([value, { title }]) =>
              german[index]?.states[property]?.[value]?.title === title &&
              ![title, wordsOf(value)].some(text => SAME.includes(text))
                ? [title]
                : [],
            ),
      ),
    )
    t.deepEqual(unnamed, [])
  })

/** The recipe has the texts of its collections in its own languages. */
const textsOf = ({ module, title, singular, createTitle, labels, actions }: ListedResource): string[] => [
  ...(module === 'collections' ? [] : [title, singular, ...Object.values(labels)]),
  ...(createTitle === null ? [] : [createTitle]),
  ...actions.flatMap(action => [action.title, action.confirm ?? '']).filter(Boolean),
]
