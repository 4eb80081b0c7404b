import type { LayoutData, Site, SiteVisit } from '@larder-dev/larder/kernel'
import { readCookie } from '@larder-dev/larder/kernel/internal'
import { CHECKLIST_COOKIE } from '../../domain/cookies.ts'
import { workspaceTabs } from '../../workspaces/pages/workspace-tabs.ts'
import type { AccountServices } from '../services.ts'

type SignedInVisit = SiteVisit & { readonly caller: NonNullable<SiteVisit['caller']> }

/** The header of every page: the account with its workspaces, or links to sign in. On the home page, the first steps. */
export function accountSite({ accountMenu, checklist, impersonations, settings }: AccountServices): Site {
  const open = settings.openRegistration && (settings.passwords || settings.emailLink)
  const oneWorkspace = settings.customerRole !== undefined
  const anonymous = {
    account: { open, oneWorkspace, user: null, workspace: null, workspaces: [], hasMore: false, settings: null },
    checklist: [],
  }

  async function stepsFor({ path, caller, request }: SignedInVisit) {
    if (path !== '/' || readCookie(request.headers.cookie, CHECKLIST_COOKIE) !== undefined) return []
    return checklist.read(caller)
  }

  async function forUser(visit: SignedInVisit): Promise<LayoutData> {
    const { caller } = visit
    const [menu, steps, impersonation] = await Promise.all([
      accountMenu.read(caller.userId, caller.tenantId),
      stepsFor(visit),
      impersonations.find(caller),
    ])
    if (!menu) return anonymous
    const { user, suspension } = menu
    const workspaces = impersonation ? menu.workspaces.filter(({ current }) => current) : menu.workspaces
    const hasMore = menu.hasMore && !impersonation
    const workspace = workspaces.find(({ current }) => current) ?? null
    const [page] = workspace ? workspaceTabs(caller, settings) : []
    return {
      account: { open, oneWorkspace, user, workspace, workspaces, hasMore, settings: page?.path ?? null },
      checklist: steps,
      ...(impersonation && { impersonation: { ...impersonation, userId: caller.userId } }),
      ...(suspension && { suspension: { ...suspension, contact: settings.contact ?? null } }),
      ...(user.timeZone !== null && { timeZone: user.timeZone }),
    }
  }

  return {
    layoutData: async visit => (visit.caller ? forUser({ ...visit, caller: visit.caller }) : anonymous),
  }
}
