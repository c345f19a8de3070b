// Converts offsets: the ledger counts code points, browsers count UTF-16 units. An emoji is one code point, two units.
export class Offsets {
  #units; // where each code point begins that takes two units

  constructor(text) {
    this.text = text;
    this.#units = [];
    for (let unit = 0; unit < text.length; unit++) {
      const code = text.charCodeAt(unit);
      if (code >= 0xd800 && code < 0xdc00 && unit + 1 < text.length) {
        this.#units.push(unit);
        unit++;
      }
    }
    this.length = text.length - this.#units.length;
  }

  // Code points before a position in units; a position inside a surrogate pair counts as before it.
  toPoints(unit) {
    return unit - this.#over(unit) - (this.#inside(unit) ? 1 : 0);
  }

  toUnits(point) {
    let low = 0;
    let high = this.#units.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#units[middle] - middle < point) low = middle + 1;
      else high = middle;
    }
    return point + low;
  }

  slice(start, end) {
    return this.text.slice(this.toUnits(start), this.toUnits(end));
  }

  #inside(unit) {
    return this.#units[this.#over(unit)] === unit - 1;
  }

  // How many surrogate pairs end before this unit.
  #over(unit) {
    let low = 0;
    let high = this.#units.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#units[middle] + 1 < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
