// The table of batches is gone through by keys.
import { startRows } from "./rows.js";

startRows("[data-row]");
