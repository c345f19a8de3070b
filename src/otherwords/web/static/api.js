// Calls of the API. A refusal becomes an error that has the server's sentence.
export class Refused extends Error {
  constructor(status, told) {
    super(told?.error ?? `the server answered ${status}`);
    this.status = status;
    this.told = told;
  }
}

let csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";

async function answer(response) {
  const some = response.status !== 204 && response.headers.get("content-type")?.includes("json");
  const told = some ? await response.json() : null;
  if (!response.ok) throw new Refused(response.status, told);
  return told;
}

export async function get(path) {
  return answer(await fetch(`/api/v1${path}`, { headers: { accept: "application/json" } }));
}

export async function send(method, path, body) {
  const go = () =>
    fetch(`/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", accept: "application/json", "x-csrf-token": csrf },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const response = await go();
  if (response.status === 403 && (await renewed())) return answer(await go());
  return answer(response);
}

// After a new login in another window this page's token is out of date; the session is still ours.
async function renewed() {
  try {
    const me = await get("/me");
    const mine = document.querySelector('meta[name="account"]')?.content;
    if (me.name !== mine || !me.csrf || me.csrf === csrf) return false;
    csrf = me.csrf;
    return true;
  } catch {
    return false;
  }
}

export function newKey() {
  return crypto.randomUUID ? crypto.randomUUID() : Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("-");
}
