import type { ServicesOf } from '@larder-dev/larder/kernel'
import type { SignInServices } from '../sign-in/services.ts'
import { createAccount } from './account.ts'
import { createAccountData } from './account-data.ts'
import { createAccountMenu } from './account-menu.ts'
import { createEmailChanges } from './email-changes.ts'
import { createErasures } from './erasure.ts'
import { createPersonalDataReader } from './personal-data.ts'

export const accountServices = {
  account: createAccount,
  accountData: createAccountData,
  accountMenu: createAccountMenu,
  emailChanges: createEmailChanges,
  erasures: createErasures,
  personalData: createPersonalDataReader,
}
/** Those of this feature and of the features below it. */
export type AccountServices = ServicesOf<typeof accountServices> & SignInServices
