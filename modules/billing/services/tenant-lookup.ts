/** The workspaces that an operator names: whether there is such a one. */

import { common, type Deps } from 'larder/kernel'

const SEATS = 'identity.seat'

export const createWorkspaces = ({ usage }: Deps<'usage'>) => ({
  /**
   * Throws `not_found`. Identity stands on billing, which can therefore not ask it; but a workspace is never without an
   * owner, who takes a seat.
   */
  async mustExist(tenantId: string): Promise<void> {
    if (usage.keys().includes(SEATS) && (await usage.count(SEATS, tenantId)) === 0)
      throw common.not_found({ what: 'workspace' })
  },
})
