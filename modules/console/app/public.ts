/**
 * `@larder-dev/larder/console`: what screens of a team's modules import. They are bundled when they are first opened, and
 * use the components, the requests and the permissions of the running console.
 */
export { Badge } from './components/Badge.tsx'
export { Button } from './components/Button.tsx'
export { ConfirmDialog, Dialog } from './components/Dialog.tsx'
export { EmptyState, ErrorState, Loading } from './components/EmptyState.tsx'
export { type Fact, Facts } from './components/Facts.tsx'
export { FilterSelect } from './components/FilterSelect.tsx'
export { Icon } from './components/Icon.tsx'
export { type Crumb, Page } from './components/Page.tsx'
export { ScreenLink } from './components/ScreenLink.tsx'
export { type Column, Table } from './components/Table.tsx'
export { type TabPart, Tabs } from './components/Tabs.tsx'
export { TypedInput } from './components/TypedInput.tsx'
export { Cell } from './components/Value.tsx'
export { type Action, useAction } from './data/action.ts'
export { type Answer, type Call, callApi, type Query } from './data/api.ts'
export { type Loaded, useGet, useReload } from './data/get.ts'
export type { ListOf } from './data/loaded-rows.ts'
export { ApiError, type ProblemDocument } from './data/problem.ts'
export { usePermissions } from './data/session.ts'
export { toast } from './data/toasts.ts'
export {
  formatDate,
  formatMoney,
  formatNumber,
  type Language,
  type Localized,
  useScreenTexts,
} from './locales/index.ts'
