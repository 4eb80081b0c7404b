import type { ServicesOf } from '@larder-dev/larder/kernel'
import type { AccountServices } from '../accounts/services.ts'
import { createAudience } from './audience.ts'
import { createCustomerSuspensions } from './customer-suspensions.ts'
import { createCustomers } from './customers.ts'
import { createDirectory } from './directory.ts'
import { createOperatorClaims } from './operator-claims.ts'
import { createSuspensions } from './suspensions.ts'
import { createTenantRemoval } from './tenant-removal.ts'
import { createUserSupport } from './user-support.ts'

export const operatorServices = {
  claims: createOperatorClaims,
  customers: createCustomers,
  customerSuspensions: createCustomerSuspensions,
  productAudience: createAudience,
  directory: createDirectory,
  suspensions: createSuspensions,
  tenantRemoval: createTenantRemoval,
  userSupport: createUserSupport,
}
/** Those of this feature and of the features below it. */
export type OperatorServices = ServicesOf<typeof operatorServices> & AccountServices
