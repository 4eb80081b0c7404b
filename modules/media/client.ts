/** The helper `media.upload` of generated clients. No imports: the file becomes part of the client. */

export interface UploadOptions {
  /** The name of a `File` by default. */
  readonly fileName?: string
  /** The type of the blob by default. */
  readonly mimeType?: string
  readonly signal?: AbortSignal
  /** How long to wait for the checks of the file. 60 seconds by default. */
  readonly waitMs?: number
}

interface UploadIntentReply {
  readonly mediaId: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

/** The methods of the client that the helper calls. */
interface UploadResources<Item> {
  readonly media: {
    readonly uploadIntent: (
      body: { fileName: string; mimeType: string; size: number },
      options: { signal?: AbortSignal | undefined },
    ) => PromiseLike<UploadIntentReply>
    readonly process: (body: { mediaId: string }, options: { signal?: AbortSignal | undefined }) => PromiseLike<Item>
    readonly get: (id: string, options: { signal?: AbortSignal | undefined }) => PromiseLike<Item>
  }
}

interface UploadContext<Item> {
  readonly resources: UploadResources<Item>
  request(url: string, init: RequestInit): Promise<Response>
}

const UPLOAD_POLL_MS = 1000
const UPLOAD_WAIT_MS = 60_000

/**
 * Uploads a file and waits until it is checked. Resolves to the item: `ready`, `rejected`, or still `processing` after
 * `waitMs`.
 */
export const createUpload =
  <Item extends { readonly id: string; readonly status: string }>({
    resources: { media },
    request,
  }: UploadContext<Item>) =>
  async (file: Blob & { readonly name?: string }, options: UploadOptions = {}): Promise<Item> => {
    const { fileName = file.name ?? 'file', mimeType = file.type || 'application/octet-stream', signal } = options
    const intent = await media.uploadIntent({ fileName, mimeType, size: file.size }, { signal })
    // The runtime sets the length of the body.
    const headers = Object.entries(intent.headers).filter(([name]) => name.toLowerCase() !== 'content-length')
    await request(intent.url, {
      method: intent.method,
      headers: Object.fromEntries(headers),
      body: file,
      credentials: 'omit',
      ...(signal && { signal }),
    })
    const deadline = Date.now() + (options.waitMs ?? UPLOAD_WAIT_MS)
    let item = await media.process({ mediaId: intent.mediaId }, { signal })
    while (!['ready', 'rejected', 'expired'].includes(item.status) && Date.now() < deadline) {
      await new Promise(done => setTimeout(done, UPLOAD_POLL_MS))
      item = await media.get(intent.mediaId, { signal })
    }
    return item
  }
