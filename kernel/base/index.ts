/** Building blocks without dependencies on the rest of Larder: ids, units, problems, schemas, pagination. */

export { extendAjv, VISIBLE_KEYWORD } from './ajv-extensions.ts'
export { CAUSE_HEADER, causeHeaders, depthOfCause } from './cause.ts'
export { type Clock, elapsed } from './clock.ts'
export { cleanCode } from './codes.ts'
export { byCodeUnits, byNames } from './compare.ts'
export {
  type ConditionPart,
  type Conditions,
  conditionParts,
  conditionSchema,
  conditionShape,
  conditionsSchema,
  MAX_CONDITION_DEPTH,
  type Operators,
  type Scalar,
} from './conditions.ts'
export { charsetOf, isUtf8, mediaTypeOf, wantsCsv } from './content-type.ts'
export {
  type Actor,
  bindContext,
  type Context,
  continueTrace,
  currentContext,
  currentTraceparent,
  sharerOf,
  type Trace,
  traceFields,
  withContext,
} from './context.ts'
export { type CookieAttributes, LOGIN_COOKIE, readCookie, setCookie, TENANT_COOKIE, tenantCookie } from './cookies.ts'
export { createCountedWarnings } from './counted-warnings.ts'
export { isExactNumber } from './decimal.ts'
export { asciiAddress, cleanAddress, emailKey } from './email.ts'
export { readVariable } from './environment.ts'
export { etag, isNotModified, listsVersion, requireMatch } from './etag.ts'
export { assertMaxLength, LimitExceeded, ProcessorBusy, runWithTimeout } from './execution-limits.ts'
export { isRecord } from './fields.ts'
export {
  createReadBudget,
  expandPattern,
  FileReadError,
  isPattern,
  type ReadBudget,
  readText,
  resolveInside,
} from './files.ts'
export { fingerprint } from './fingerprint.ts'
export { folded } from './folding.ts'
export { HandlerTimeout } from './handler-timeout.ts'
export { escapeHtml, html, isAppScheme, markdownText, renderedMarkdown, safeUrl } from './html.ts'
export { isLoopbackName, isThisMachine, MAX_URL_LENGTH, parseTarget, type Target } from './http-target.ts'
export { idempotencyKey } from './idempotency-key.ts'
export { firstId, idPattern, newId } from './ids.ts'
export { addressKey, clientAddress, isLoopback } from './ip-address.ts'
export { composed, composedText, escapePointer, hasInexactNumber, parseJson, textError } from './json.ts'
export {
  docsOf,
  documented,
  fieldsLeftOut,
  type JsonSchema,
  named,
  nameOf,
  type Reader,
  schemaFor,
  wholeSchema,
} from './json-schema.ts'
export {
  acceptedLocale,
  directionOf,
  type LocalText,
  matchLocale,
  negotiateLocale,
  pickText,
  pickTranslation,
} from './locale.ts'
export {
  assertEditable,
  type DeclaredRow,
  diffManagedRows,
  type ManagedRemoval,
  type ManagedRow,
  type ManagedRowsDiff,
  type ManagedWrite,
} from './managed-rows.ts'
export {
  type AmountFault,
  currencyDigits,
  decimalAmount,
  formatMoney,
  isCurrency,
  parseAmount,
  plainNumber,
  readAmount,
  signsOf,
  splitCurrency,
} from './money.ts'
export { cleanName, containsEncodedWord, isBlank, LINE_PATTERN, trimmed, unlinked } from './names.ts'
export { defineOperatorErrors, OperatorError } from './operator-error.ts'
export {
  assertInstalled,
  importOptional,
  installCommand,
  isInstalled,
  type OptionalPackage,
  optionalPackages,
  TRACING_PACKAGES,
  useOf,
} from './optional-package.ts'
export { createOutageLog, logHooks, type OutageLog, reasonOf, unlessAnnounced } from './outage.ts'
export { codeRoot, packageExports, packageName, packagePeers, packageRoot, packageVersion } from './package-root.ts'
export {
  type CursorMark,
  type CursorValue,
  createCursorMark,
  decodeCursor,
  encodeCursor,
  type PageOf,
  pageLimit,
  toPage,
} from './pagination.ts'
export { anyCovers, covers, PERMISSION_PATTERN, permissionHint } from './permissions.ts'
export {
  common,
  type DocumentedProblem,
  defineProblems,
  defineReasons,
  type Extras,
  type FieldError,
  FieldErrors,
  fieldError,
  invalidField,
  invalidFields,
  malformed,
  missingPermission,
  Problem,
  type ProblemFactory,
  type ProblemTable,
  placedWording,
  withErrors,
  withHeaders,
} from './problem.ts'
export {
  createProofOfWork,
  ProofChallenge,
  type ProofFault,
  type ProofOfWork,
  proofSolution,
  type SolvedChallenge,
} from './proof-of-work.ts'
export { type Bucket, createBucket, type Rate, takeToken } from './rate-bucket.ts'
export { bodyOf, valuesOf, Writable, without } from './record-properties.ts'
export {
  dayIn,
  PERIOD_STEPS,
  type PeriodQuery,
  type PeriodStep,
  periodsOf,
  type ReportPeriods,
  shiftPeriod,
} from './report-periods.ts'
export {
  Bytes,
  CodeOf,
  isTime,
  LanguageOf,
  LOCALE_PATTERN,
  listOf,
  listQuery,
  localTextOf,
  NameOf,
  Nullable,
  OneOf,
  RequiredText,
  Time,
  Timestamp,
} from './schema.ts'
export { createSecrets, randomText, type Secrets, subkey } from './secrets.ts'
export {
  createSettingsReader,
  defineSettings,
  SettingsError,
  type SettingsReader,
  type SettingsSpec,
  type SettingValue,
  type SettingVariable,
} from './settings.ts'
export { slugOf } from './slug.ts'
export { didYouMean, formatList, nearest, withSuggestion } from './suggest.ts'
export { isTimeZone, TIME_ZONES } from './time-zones.ts'
export { together } from './together.ts'
export { Type } from './typebox.ts'
export {
  bytes,
  DAY,
  DURATION_PATTERN,
  formatSize,
  GIB,
  HOUR,
  KIB,
  MIB,
  MINUTE,
  milliseconds,
  POSITIVE_DURATION_PATTERN,
  SECOND,
  SIZE_PATTERN,
  scaledQuantity,
} from './units.ts'
export { checkText, createValidator, fieldErrors, once, type Validator, type ValueCheck } from './validation.ts'
export {
  createShownTokens,
  type ShownForm,
  type ShownResult,
  type ShownTokens,
  type SpamReason,
  spamReason,
  type VisitorInput,
  type VisitorRules,
} from './visitors.ts'
export { originOf, parseUrl, urlPattern } from './web-address.ts'
export {
  inEnglish,
  isWording,
  sayWording,
  unworded,
  WordedError,
  type Wording,
  type WordingValue,
  wording,
} from './wording.ts'
export { createWorkChannel, recordedName, type WorkChannel } from './work-channel.ts'
