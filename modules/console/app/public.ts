/**
 * `@larder-dev/larder/console`: what screens import, those of a team's modules as well as the shipped ones. Scripts of
 * modules are bundled when they are first opened, and use the components, the requests and the permissions of the running
 * console. The build drops what nobody uses, so a name here costs the first screen nothing.
 */

export { audience, hasArea, pageAddress, workspace } from './browser/document.ts'
export { productLocales } from './browser/product-locales.ts'
export { useStore } from './browser/store.ts'
export { Avatar, Person } from './components/Avatar.tsx'
export { Badge, StateBadge } from './components/Badge.tsx'
export { Button } from './components/Button.tsx'
export { Chart } from './components/Chart.tsx'
export { CodeBlock } from './components/CodeBlock.tsx'
export { CodeEditor } from './components/CodeEditor.tsx'
export type { TextEditor } from './components/CodeMirror.tsx'
export { CopyButton } from './components/CopyButton.tsx'
export type { ChartPoint } from './components/chart-model.ts'
export { ConfirmButton, ConfirmDialog, Dialog, FormDialog } from './components/Dialog.tsx'
export { EmptyState, ErrorState, Loading, NoMatches } from './components/EmptyState.tsx'
export { type Fact, Facts, factsOf } from './components/Facts.tsx'
export { Failure } from './components/Failure.tsx'
export { FileTrigger } from './components/FileTrigger.tsx'
export { FilterSelect } from './components/FilterSelect.tsx'
export { Form } from './components/Form.tsx'
export { FieldInput, type FieldProps, OwnInputs } from './components/FormField.tsx'
export { Icon } from './components/Icon.tsx'
export { InlineCode } from './components/InlineCode.tsx'
export { inlineKey } from './components/inline-key.ts'
export { SelectField, TextArea, TextField } from './components/LabeledField.tsx'
export { ListContent } from './components/ListContent.tsx'
export { LoadMore } from './components/LoadMore.tsx'
export { Menu, type MenuItem } from './components/Menu.tsx'
export { type Destination, useNavigate, useSearch } from './components/navigation.ts'
export { type Crumb, Page } from './components/Page.tsx'
export { ReasonDialog } from './components/ReasonDialog.tsx'
export { RecordName } from './components/RecordName.tsx'
export { RowMenu } from './components/RowMenu.tsx'
export { ScreenLink } from './components/ScreenLink.tsx'
export { Section } from './components/Section.tsx'
export { useKeys } from './components/save-shortcut.ts'
export { type Column, type ColumnKind, Table } from './components/Table.tsx'
export { type TabPart, Tabs } from './components/Tabs.tsx'
export { TextDiff } from './components/TextDiff.tsx'
export { TextLanguage } from './components/TextLanguage.tsx'
export { Time } from './components/Time.tsx'
export { TypedInput } from './components/TypedInput.tsx'
export { UnsavedChanges } from './components/UnsavedChanges.tsx'
export { Cell } from './components/Value.tsx'
export { type Action, useAction } from './data/action.ts'
export { type Answer, api, getCsv, getPage } from './data/api.ts'
export type { CollectionField } from './data/collection.ts'
export { withCollection } from './data/collection-form.ts'
export { type ApiDocument, useDocument } from './data/document.ts'
export { saveFile } from './data/download.ts'
export { type FieldMessages, messageAt, tabOfMessages } from './data/field-messages.ts'
export {
  type Field,
  type FormValue,
  type FormValues,
  formBody,
  formFields,
  formValues,
  isSame,
} from './data/form-model.ts'
export { isAwaited, type Loaded, MAX_PAGE, useGet, useGetAt, useLoad, useReload } from './data/get.ts'
export { keys } from './data/keys.ts'
export {
  type ListSearch,
  moreOf,
  type Pages,
  type Search,
  useCounts,
  usePages,
  useRows,
} from './data/list.ts'
export type { ListOf } from './data/loaded-rows.ts'
export { downloadUrl, formatSize, iconOf, isInProgress, publicPath, useImageUrl } from './data/media.ts'
export type { Path, PathParameters, Query, ResponseOf, RowOf } from './data/paths.ts'
export { ApiError, fieldErrors, isStatus, type ProblemDocument } from './data/problem.ts'
export { useTopic } from './data/realtime.ts'
export type * from './data/recipe-paths.ts'
export {
  createTitle,
  inSentence,
  isReadOnly,
  keyOf,
  labelOf,
  nounOf,
  type Resource,
  type Row,
  recordPath,
  type Scope,
  scopeOf,
  useResource,
  useResources,
} from './data/resources.ts'
export type { JsonSchema } from './data/schema.ts'
export type { RecordTabProps, ResourceScreenProps, Screen, ScreenProps } from './data/screens.ts'
export { useKeptChoice, useMe, usePermissions } from './data/session.ts'
export { useSettled } from './data/settled.ts'
export { toast } from './data/toasts.ts'
export { useUploads } from './data/uploads.ts'
export { bilingual } from './locales/bilingual.ts'
export {
  fieldLabel,
  fill,
  formatDate,
  formatDay,
  formatMoney,
  formatNumber,
  formatPercent,
  type Language,
  type Localized,
  languageName,
  languageStore,
  type Translate,
  useScreenTexts,
  useTexts,
  wordOf,
} from './locales/index.ts'
export { ImagePicker } from './parts/ImagePicker.tsx'
export type { PickedImage } from './parts/ImagePickerDialog.tsx'
export { Impersonate, ImpersonateMember } from './parts/Impersonate.tsx'
export { useImpersonateTexts } from './parts/impersonate-texts.ts'
export { SubscriptionBadge } from './parts/SubscriptionBadge.tsx'
export { UploadList } from './parts/UploadList.tsx'
export { EntitlementUsage } from './parts/Usage.tsx'
export * from './pure.ts'
export { CollectionCell } from './resource/CollectionCell.tsx'
export { ConflictDialog } from './resource/ConflictDialog.tsx'
export { OPERATOR_TEXTS } from './resource/collection-texts.ts'
export { type Draft, type DraftVersion, useDraft } from './resource/draft.ts'
export { EditScreen } from './resource/EditScreen.tsx'
export { useFilterChange } from './resource/filters.ts'
export {
  areaCrumbs,
  crumbsOf,
  editUrl,
  factsIn,
  factsWithout,
  fieldsOf,
  invalidTexts,
  labelIn,
  newUrl,
  recordUrl,
  resourcePath,
  searchOf,
  useKeepRecord,
  useRecord,
  useRefresh,
} from './resource/generic.ts'
export { ListScreen } from './resource/ListScreen.tsx'
export {
  CommandRunner,
  type RecordCommand,
  RecordCommands,
  RecordMenu,
  useRecordCommands,
} from './resource/RecordActions.tsx'
export { RecordScreen, relatedTabs } from './resource/RecordScreen.tsx'
export { ResourceList } from './resource/ResourceList.tsx'
export { RecordFacts } from './resource/RowFacts.tsx'
export { useAddedTabs } from './resource/record-tabs.tsx'
