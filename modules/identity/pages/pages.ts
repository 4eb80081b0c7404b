import type { Deps } from '../../../kernel/contract.ts'
import { accountPages } from './account.ts'
import { linkPages } from './links.ts'
import { signInPages } from './sign-in.ts'

export const pages = (deps: Deps<'identity' | 'product'>) => [
  ...signInPages(deps),
  ...accountPages(deps),
  ...linkPages(deps),
]
