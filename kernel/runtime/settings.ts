/** Reads the environment once, for the kernel and for every definition that declares settings. */
import { resolve } from 'node:path'
import { createSettingsReader, defineSettings, SettingsError, type SettingsSpec } from '../base/index.ts'
import type { Definition, Settings } from '../contract/index.ts'

type Env = Readonly<Record<string, string | undefined>>

const kernelSettings = (folder: string) =>
  defineSettings({
    variables: [
      { name: 'PUBLIC_URL', about: 'public URL of the product' },
      { name: 'LARDER_DATA', about: 'folder of the embedded database, files and secret', default: '.larder' },
      {
        name: 'LARDER_RECIPE',
        about: 'path of the recipe',
        default: 'recipe.yaml or larder.yaml here, otherwise the shipped full.yaml',
      },
      { name: 'LARDER_SECRET', about: '32 random bytes or more; during a rotation new,old', secret: true },
      { name: 'NODE_ENV', about: 'production: plain error pages, no development shortcuts' },
      {
        name: 'LARDER_APPLY',
        about: 'what a start applies of a changed recipe: safe (what adds), all, or never',
        default: 'safe in production, otherwise all',
      },
      { name: 'LOG_LEVEL', about: 'trace, debug, info, warn, error or silent', default: 'info' },
    ],
    read(env) {
      const secrets = env.secrets('LARDER_SECRET')
      if (secrets.some(secret => Buffer.byteLength(secret) < 32))
        env.fail('LARDER_SECRET must be at least 32 bytes: openssl rand -base64 32')
      const recipe = env.text('LARDER_RECIPE')
      const production = env.text('NODE_ENV') === 'production'
      return {
        publicUrl: env.url('PUBLIC_URL', ['http', 'https'])?.replace(/\/+$/, ''),
        dataDir: resolve(folder, env.text('LARDER_DATA') ?? '.larder'),
        recipe: recipe && resolve(folder, recipe),
        secrets,
        production,
        apply: env.oneOf('LARDER_APPLY', ['safe', 'all', 'never'], production ? 'safe' : 'all'),
        logLevel: env.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
      }
    },
  })

/** What the kernel and these definitions read from the environment. */
export const settingSpecs = (definitions: readonly Definition[], folder = ''): readonly SettingsSpec[] => [
  kernelSettings(folder),
  ...definitions.flatMap(({ settings }) => settings ?? []),
]

/** Throws a SettingsError that names every invalid variable. */
export function readSettings(env: Env, definitions: readonly Definition[], folder = process.cwd()): Settings {
  const problems: string[] = []
  const reader = createSettingsReader(env, problems)
  const specs = settingSpecs(definitions, folder)
  const values = specs.map(spec => spec.read(reader))
  if (problems.length > 0) throw new SettingsError(problems)
  // Each service merges the type of what it reads into `Settings`.
  return Object.assign({}, ...values, { variables: reader.valuesOf(specs.flatMap(each => each.variables)) }) as Settings
}

/** The settings that modules declare. Throws a SettingsError that names every invalid variable. */
export function readModuleSettings(env: Env, modules: readonly { readonly module: Definition }[]) {
  const problems: string[] = []
  const reader = createSettingsReader(env, problems)
  const values = modules.map(({ module }) => module.settings?.read(reader) ?? {})
  if (problems.length > 0) throw new SettingsError(problems)
  const variables = reader.valuesOf(modules.flatMap(({ module }) => module.settings?.variables ?? []))
  return { values: Object.assign({}, ...values) as object, variables }
}
