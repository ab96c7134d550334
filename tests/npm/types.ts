import { createEngine, Luft, LuftError, ownFiles, uciWorker, type Info } from "luft-chess";
import { AsyncEngine } from "luft-chess/async";

export async function depths(): Promise<number[]> {
    const found: Info[] = [], engine: AsyncEngine = createEngine({ hash: 1 });
    for await (const info of engine.analyse({ moves: ["e2e4"], limits: { depth: 3 } })) found.push(info);
    const { module, network } = await ownFiles(), luft: Luft = await Luft.load(module, await network());
    if (luft.version === "") throw new LuftError("no version");
    uciWorker().postMessage("quit");
    // @ts-expect-error a wrong name
    void engine.go({ limits: { deptth: 3 } });
    return found.map(({ depth }) => depth);
}
