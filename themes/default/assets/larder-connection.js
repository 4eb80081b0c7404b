// @ts-check
/** An RTCPeerConnection with perfect negotiation (W3C WebRTC, 10.7). Part of larder-realtime.js. */

/**
 * @typedef {object} Listeners
 * @property {(type: 'description' | 'candidate', data: object) => void} send to the peer
 * @property {(state: string) => void} state
 * @property {(stream: MediaStream) => void} stream
 * @property {() => void} lost The other peer must renegotiate, because this one may not offer.
 * @property {boolean} offers
 */

export class Connection {
  /** @type {RTCPeerConnection} */
  #peer
  #polite
  #listeners
  /** @type {RTCConfiguration} */
  #rtc
  /** Media to send. @type {MediaStream | undefined} */
  #media
  #makingOffer = false
  #ignoreOffer = false
  #settingAnswer = false
  /** Candidates that arrived before their description. @type {(RTCIceCandidateInit | null)[]} */
  #pendingCandidates = []
  /** Processes frames one after the other. */
  #queue = Promise.resolve()

  /** @param {string} id @param {boolean} polite @param {RTCConfiguration} rtc @param {Listeners} listeners */
  constructor(id, polite, rtc, listeners) {
    this.id = id
    this.#polite = polite
    this.#listeners = listeners
    this.#rtc = rtc
    this.#peer = this.#open()
  }

  #open() {
    const { send, state, stream } = this.#listeners
    const peer = new RTCPeerConnection(this.#rtc)
    peer.onicecandidate = ({ candidate }) => send('candidate', { candidate: candidate?.toJSON() ?? null })
    peer.onnegotiationneeded = () => this.#offer()
    peer.ontrack = ({ streams, track }) => stream(streams[0] ?? new MediaStream([track]))
    peer.onconnectionstatechange = () => {
      state(peer.connectionState)
      if (peer.connectionState === 'failed') this.repair()
    }
    return peer
  }

  /** Discards the first offer. After a rollback of it, Chromium may gather no candidates and report no error. */
  #reopen() {
    this.close()
    this.#makingOffer = false
    this.#peer = this.#open()
    this.send(this.#media)
  }

  get alive() {
    return this.#peer.connectionState !== 'closed' && this.#peer.connectionState !== 'failed'
  }

  /** @param {MediaStream | undefined} media */
  send(media) {
    this.#media = media
    const senders = this.#peer.getSenders()
    for (const track of media?.getTracks() ?? []) {
      const sender = senders.find(candidate => candidate.track?.kind === track.kind)
      if (sender) void sender.replaceTrack(track)
      else this.#peer.addTrack(track, /** @type {MediaStream} */ (media))
    }
    const kinds = media?.getTracks().map(({ kind }) => kind) ?? []
    for (const sender of senders) if (sender.track && !kinds.includes(sender.track.kind)) this.#peer.removeTrack(sender)
  }

  /** Restarts ICE if the connection failed. */
  repair() {
    if (!['failed', 'disconnected'].includes(this.#peer.connectionState)) return
    if (this.#listeners.offers) this.#peer.restartIce()
    else this.#listeners.lost()
  }

  /** @param {RTCConfiguration} rtc */
  configure(rtc) {
    this.#rtc = rtc
    if (this.#peer.signalingState !== 'closed') this.#peer.setConfiguration(rtc)
  }

  /** @param {{ description?: RTCSessionDescriptionInit, candidate?: RTCIceCandidateInit | null }} data */
  receive(data) {
    this.#queue = this.#queue
      .then(() =>
        data.description ? this.#receiveDescription(data.description) : this.#addCandidate(data.candidate ?? null),
      )
      .catch(error => {
        if (this.#peer.signalingState !== 'closed') this.#listeners.state(`error: ${error.message}`)
      })
  }

  async #offer() {
    const peer = this.#peer
    try {
      this.#makingOffer = true
      await peer.setLocalDescription()
      if (peer === this.#peer) this.#listeners.send('description', { description: peer.localDescription })
    } catch (error) {
      if (peer.signalingState !== 'closed') throw error
    } finally {
      if (peer === this.#peer) this.#makingOffer = false
    }
  }

  /** @param {RTCSessionDescriptionInit} description */
  async #receiveDescription(description) {
    const ready = !this.#makingOffer && (this.#peer.signalingState === 'stable' || this.#settingAnswer)
    const collides = description.type === 'offer' && !ready
    this.#ignoreOffer = !this.#polite && collides
    if (this.#ignoreOffer) {
      // Without an earlier description, the pending candidates belong to the ignored offer.
      if (!this.#peer.remoteDescription) this.#pendingCandidates = []
      return
    }
    if (collides && this.#peer.connectionState === 'new') this.#reopen()
    this.#settingAnswer = description.type === 'answer'
    await this.#peer.setRemoteDescription(description)
    this.#settingAnswer = false
    for (const candidate of this.#pendingCandidates.splice(0)) await this.#addCandidate(candidate)
    if (description.type !== 'offer') return
    await this.#peer.setLocalDescription()
    this.#listeners.send('description', { description: this.#peer.localDescription })
  }

  /** @param {RTCIceCandidateInit | null} candidate */
  async #addCandidate(candidate) {
    if (!this.#peer.remoteDescription) {
      // Candidates of an ignored offer are useless.
      if (!this.#ignoreOffer) this.#pendingCandidates.push(candidate)
      return
    }
    try {
      await this.#peer.addIceCandidate(candidate ?? undefined)
    } catch (error) {
      if (!this.#ignoreOffer) throw error
    }
  }

  async stats() {
    const all = [...(await this.#peer.getStats()).values()]
    const sum = (/** @type {string} */ type, /** @type {string} */ field) =>
      all.reduce((total, report) => total + (report.type === type ? (report[field] ?? 0) : 0), 0)
    const pair = all.find(
      ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
    )
    const local = all.find(({ id }) => id === pair?.localCandidateId)
    return {
      state: this.#peer.connectionState,
      framesDecoded: sum('inbound-rtp', 'framesDecoded'),
      framesSent: sum('outbound-rtp', 'framesSent'),
      candidateType: local?.candidateType ?? null,
    }
  }

  close() {
    this.#peer.onconnectionstatechange = this.#peer.onicecandidate = this.#peer.onnegotiationneeded = null
    this.#peer.close()
  }
}
