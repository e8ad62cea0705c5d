/* The line to the peer: one WebSocket, the launch token first, then commands out and snapshots, events, replies in. */

const API = 1;
const STORE = 'token';
const RETRY_MS = [100, 200, 400, 800, 1500];

/* The token comes in the fragment, leaves the address bar at once, and survives a reload of this tab only. */
function takeToken() {
  const fresh = location.hash.slice(1);
  if (/^[\w-]{20,}$/.test(fresh)) {
    sessionStorage.setItem(STORE, fresh);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(STORE) ?? '';
}

export class Link {
  /* `on`: {snapshot, event, state}; state is "open", "lost" (retrying), or why it is over: "token", "version". */
  constructor(on) {
    this.on = on;
    this.token = takeToken();
    this.waiting = new Map();
    this.next = 1;
    this.tries = 0;
    this.skew = 0;
    this.connect();
    /* The address of a newer run, pasted into this tab, changes only the fragment. */
    addEventListener('hashchange', () => {
      this.token = takeToken();
      this.socket.close();
      if (this.over) this.connect();
    });
  }

  connect() {
    const socket = (this.socket = new WebSocket(`ws://${location.host}/api`));
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', token: this.token, api: API }));
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => this.closed(code);
  }

  receive(message) {
    if (message.type === 'snapshot') {
      /* The peer's clock in terms of this page's; the least delay seen lately is the truest. */
      this.skew = message.now_ms - performance.now();
      this.on.snapshot(message);
    } else if (message.type === 'reply') {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    } else if (message.type === 'welcome') {
      this.tries = 0;
      this.on.state('open');
    } else this.on.event(message);
  }

  closed(code) {
    for (const answer of this.waiting.values()) answer({ error: { key: 'error.lost', params: {} }, result: null });
    this.waiting.clear();
    this.over = code === 4401 || code === 4426;
    if (this.over) return this.on.state(code === 4401 ? 'token' : 'version');
    this.on.state('lost');
    setTimeout(() => this.connect(), RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)]);
  }

  /* Send a command; resolves with the reply. Never throws: a lost line is an error reply too. */
  ask(command) {
    if (this.socket.readyState !== WebSocket.OPEN)
      return Promise.resolve({ error: { key: 'error.lost', params: {} }, result: null });
    const id = this.next++;
    this.socket.send(JSON.stringify({ type: 'ask', id, command }));
    return new Promise((answer) => this.waiting.set(id, answer));
  }

  /* The peer's clock now, in its milliseconds. */
  now() {
    return performance.now() + this.skew;
  }
}
