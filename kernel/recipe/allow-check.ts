/** Checks `allow` of the endpoints of a team's modules. The compiler checks those of the shipped ones. */
import { didYouMean } from '../base/index.ts'
import type { AllowKeyword } from '../contract/index.ts'
import type { CheckContext } from './check-context.ts'
import { permissionsOf } from './declared-access.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { declaredEndpoints } from './endpoints.ts'
import type { RecipeValue } from './shape.ts'
import { keyLocation } from './tree.ts'

const KEYWORDS: readonly string[] = ['user', 'public', 'joinToken', 'signature'] satisfies AllowKeyword[]

export function allowProblems(value: RecipeValue, { tree, modules, complete, isValid }: CheckContext): Diagnostic[] {
  const own = modules.filter(({ key, source }) => source !== 'larder' && isValid(['modules', key]))
  if (own.length === 0 || !complete) return []
  const known = [...KEYWORDS, ...modules.flatMap(({ module }) => permissionsOf(module).map(({ key }) => key))]
  const { endpoints } = declaredEndpoints(own, value, tree, ['routes', 'rawRoutes', 'sockets', 'pages'])
  return endpoints.flatMap(({ module, method, path, allow }) =>
    allow
      .filter(word => !known.includes(word))
      .map(word => {
        const location = ['modules', module]
        const message = `Unknown permission "${word}" in "allow" of ${method} ${path}`
        const hint = didYouMean(word, known) ?? `Declare it in "permissions" of the module`
        return diagnosticAt('unknown_permission', keyLocation(tree, location), location, message, hint)
      }),
  )
}
