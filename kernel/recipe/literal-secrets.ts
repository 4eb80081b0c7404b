/** Warns of secrets that stand in a recipe, which is committed and shown, instead of the environment. */
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Path, Tree } from './tree.ts'

/** Forms that providers give to their secrets, so that scanners find them. */
const FORMS: readonly RegExp[] = [
  // Stripe.
  /\b(sk|rk)_(live|test)_[0-9A-Za-z]{16,}/,
  /\bwhsec_[0-9A-Za-z+/=]{16,}/,
  // SendGrid.
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  // AWS and Google.
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}\b/,
  /\bGOCSPX-[\w-]{20,}/,
  // GitHub and GitLab.
  /\bgh[pousr]_[0-9A-Za-z]{30,}/,
  /\bgithub_pat_\w{40,}/,
  /\bglpat-[\w-]{20,}/,
  // Slack, and the keys of this product.
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\blarder_live_[0-9A-Za-z]{16,}/,
  // AI providers: `sk-…`, `sk-proj-…`, `sk-ant-…`.
  /\bsk-[\w-]{20,}/,
  // Google's access tokens, and the address of a Slack channel, which is its own secret.
  /\bya29\.[\w-]{20,}/,
  /\bhooks\.slack\.com\/services\/\w+\/\w+\/\w{16,}/,
  // Other tokens and keys: `npm_…`, `dop_v1_…`.
  /\b[a-z]{2,10}([_-][a-z0-9]{1,8}){0,2}[_-](?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[0-9A-Za-z]{32,}\b/,
  /\bBearer [\w.~+/-]{20,}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
]
/** The password of a URL, such as `smtp://user:password@host`. */
const URL_PASSWORD = /\b[a-z][a-z0-9+.-]*:\/\/[^/@\s:]*:[^/@\s]+@/i

/** An option of a module that is a secret by its name, such as `s3.secretAccessKey`. */
const SECRET_OPTION = /(secret|password|token|secretKey|secretAccessKey|privateKey|apiKey)$/i
/** Long enough to be no word, and without the spaces of a sentence. */
const SECRET_VALUE = /^[^\s${}]{16,}$/

export function literalSecrets(tree: Tree, path: Path = []): Diagnostic[] {
  if (tree.kind === 'map') return [...tree.entries].flatMap(([key, { value }]) => literalSecrets(value, [...path, key]))
  if (tree.kind === 'list') return tree.items.flatMap((item, index) => literalSecrets(item, [...path, index]))
  if (tree.fromEnv || typeof tree.value !== 'string') return []
  if (!isSecret(tree.value) && !isSecretOption(path, tree.value)) return []
  const message = 'A secret stands in the recipe, where everybody who can read the file sees it'
  const hint = `Move it to the environment, and write "\${${variableFor(path)}}"`
  return [diagnosticAt('literal_secret', tree.place, path, message, hint, 'warning')]
}

const isSecret = (text: string): boolean => URL_PASSWORD.test(text) || FORMS.some(form => form.test(text))

const isSecretOption = ([section, ...steps]: Path, text: string): boolean =>
  section === 'modules' && SECRET_OPTION.test(String(steps.at(-1))) && SECRET_VALUE.test(text)

/** `modules.billing.stripe.secretKey` → `STRIPE_SECRET_KEY`. */
const variableFor = (path: Path): string =>
  path
    .filter(step => typeof step === 'string')
    .slice(-2)
    .map(step =>
      step
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replaceAll(/\W+/g, '_')
        .toUpperCase(),
    )
    .join('_')
