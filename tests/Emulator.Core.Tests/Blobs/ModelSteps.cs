using System.Xml.Linq;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>One step of a client, and its result according to the model.</summary>
internal abstract record ModelStep
{
    public abstract Task ApplyAsync(ModelRun run);
}

internal sealed record PutBlobStep(string Name, string Text, string Metadata, Version Version, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        (int, string?)? refusal = run.Model.Refusal(Name, Version, Holder, isPut: true);
        var answer = await run.SendAsync(
            "PUT",
            "/" + Name,
            Text,
            [("x-ms-blob-type", "BlockBlob"), ("x-ms-meta-value", Metadata), .. run.Model.Headers(Name, Version, Holder)]
        );
        if (run.Expect(answer, refusal, 201) is { } etag)
        {
            var blob = run.Model.Written(Name, etag);
            (blob.Content, blob.Metadata, blob.Committed) = (Text, Metadata, []);
            blob.Uncommitted.Clear();
        }
    }
}

internal sealed record PutBlockStep(string Name, string Id, string Text, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var present = run.Model.Blobs.GetValueOrDefault(Name);
        (int, string?)? refusal =
            run.Model.LeaseRefusal(run.Model.Find(Name), Holder)
            ?? (present?.Uncommitted.Keys.Any(other => other.Length != Id.Length) == true ? (400, "InvalidBlobOrBlock") : null);
        var answer = await run.SendAsync("PUT", $"/{Name}?comp=block&blockid={Id}", Text, [.. run.Model.Headers(Name, Version.Any, Holder)]);
        Assert.Equal(refusal ?? (201, null), (answer.Status, answer.Code));
        if (refusal is null)
        {
            run.Model.Blobs.TryAdd(Name, new ModelBlob());
            run.Model.Blobs[Name].Uncommitted[Id] = Text;
        }
    }
}

internal sealed record CommitStep(string Name, IReadOnlyList<(string Kind, string Id)> List, Version Version, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        List<(string Id, string Text)?> blocks = [.. List.Select(entry => Resolve(run.Model.Blobs.GetValueOrDefault(Name), entry.Kind, entry.Id))];
        (int, string?)? refusal = blocks.Contains(null) ? (400, "InvalidBlockList") : run.Model.Refusal(Name, Version, Holder, isPut: true);
        var body = $"<BlockList>{string.Concat(List.Select(static entry => $"<{entry.Kind}>{entry.Id}</{entry.Kind}>"))}</BlockList>";
        var answer = await run.SendAsync("PUT", $"/{Name}?comp=blocklist", body, [.. run.Model.Headers(Name, Version, Holder)]);
        if (run.Expect(answer, refusal, 201) is { } etag)
        {
            var blob = run.Model.Written(Name, etag);
            blob.Committed = [.. blocks.Select(static block => block!.Value)];
            (blob.Content, blob.Metadata) = (string.Concat(blob.Committed.Select(static block => block.Text)), string.Empty);
            blob.Uncommitted.Clear();
        }
    }

    private static (string, string)? Resolve(ModelBlob? blob, string kind, string id)
    {
        if (blob is null)
        {
            return null;
        }

        if (kind != "Committed" && blob.Uncommitted.TryGetValue(id, out var text))
        {
            return (id, text);
        }

        foreach ((var committed, var content) in blob.Committed)
        {
            if (kind != "Uncommitted" && committed == id)
            {
                return (id, content);
            }
        }

        return null;
    }
}

internal sealed record SetMetadataStep(string Name, string Value, Version Version, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        (int, string?)? refusal = run.Model.Refusal(Name, Version, Holder, isPut: false);
        var answer = await run.SendAsync(
            "PUT",
            $"/{Name}?comp=metadata",
            string.Empty,
            [("x-ms-meta-value", Value), .. run.Model.Headers(Name, Version, Holder)]
        );
        if (run.Expect(answer, refusal, 200) is { } etag)
        {
            run.Model.Written(Name, etag).Metadata = Value;
        }
    }
}

internal sealed record DeleteStep(string Name, Version Version, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        // Blocks that wait to be committed can be deleted too, though there is no version yet.
        (int, string?)? refusal = run.Model.Refusal(Name, Version, Holder, isPut: run.Model.Find(Name) is null && run.Model.Blobs.ContainsKey(Name));
        run.Expect(await run.SendAsync("DELETE", "/" + Name, string.Empty, [.. run.Model.Headers(Name, Version, Holder)]), refusal, 202);
        if (refusal is null)
        {
            run.Model.Blobs.Remove(Name);
        }
    }
}

internal sealed record CopyStep(string From, string Name, Version Version, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var source = run.Model.Find(From);
        (int, string?)? refusal = source is null ? (404, "CannotVerifyCopySource") : run.Model.Refusal(Name, Version, Holder, isPut: true);
        refusal = refusal == (412, "ConditionNotMet") ? (412, "TargetConditionNotMet") : refusal;
        var answer = await run.SendAsync(
            "PUT",
            "/" + Name,
            string.Empty,
            [("x-ms-copy-source", $"{run.Endpoint}/c01/{From}"), .. run.Model.Headers(Name, Version, Holder)]
        );
        if (run.Expect(answer, refusal, 202) is { } etag)
        {
            var blob = run.Model.Written(Name, etag);
            (blob.Content, blob.Metadata, blob.Committed) = (source!.Content, source.Metadata, [.. source.Committed]);
            blob.Uncommitted.Clear();
        }
    }
}

internal sealed record ReadStep(string Name, int First, int Last) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var answer = await run.SendAsync("GET", "/" + Name, string.Empty, ("x-ms-range", $"bytes={First}-{Last}"));
        if (run.Model.Find(Name) is not { } blob)
        {
            Assert.Equal((404, "BlobNotFound"), (answer.Status, answer.Code));
            return;
        }

        var content = blob.Content!;
        if (First >= content.Length)
        {
            Assert.Equal((416, "InvalidRange"), (answer.Status, answer.Code));
            return;
        }

        Assert.Equal((206, content[First..Math.Min(content.Length, Last + 1)]), (answer.Status, answer.Body));
        Assert.Equal(
            ($"\"{blob.ETag}\"", blob.Metadata, run.Model.State(blob)),
            (answer.Headers["ETag"], answer.Headers.GetValueOrDefault("x-ms-meta-value", string.Empty), answer.Headers["x-ms-lease-state"])
        );
    }
}

internal sealed record ListBlocksStep(string Name) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var answer = await run.SendAsync("GET", $"/{Name}?comp=blocklist&blocklisttype=all", string.Empty);
        if (!run.Model.Blobs.TryGetValue(Name, out var blob))
        {
            Assert.Equal((404, "BlobNotFound"), (answer.Status, answer.Code));
            return;
        }

        var root = XElement.Parse(answer.Body);
        Assert.Equal(blob.Committed.Select(static block => (block.Id, block.Text.Length)), Blocks(root, "CommittedBlocks"));
        Assert.Equal(blob.Uncommitted.Select(static block => (block.Key, block.Value.Length)).Order(), Blocks(root, "UncommittedBlocks").Order());
    }

    private static IEnumerable<(string, int)> Blocks(XElement root, string part) =>
        root.Element(part)!.Elements().Select(static block => (block.Element("Name")!.Value, (int)block.Element("Size")!));
}

internal sealed record ListStep(string Prefix, string Delimiter, int PageSize) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        List<string> listed = [];
        var marker = string.Empty;
        do
        {
            var answer = await run.SendAsync(
                "GET",
                $"?restype=container&comp=list&include=metadata&prefix={Prefix}&delimiter={Delimiter}&maxresults={PageSize}&marker={Uri.EscapeDataString(marker)}",
                string.Empty
            );
            var root = XElement.Parse(answer.Body);
            XElement[] page = [.. root.Element("Blobs")!.Elements()];
            Assert.InRange(page.Length, 0, PageSize);
            listed.AddRange(page.Select(Describe));
            marker = root.Element("NextMarker")!.Value;
        } while (marker.Length > 0);

        Assert.Equal(Expected(run.Model), listed);
    }

    private List<string> Expected(BlobModel model)
    {
        List<string> expected = [];
        foreach ((var name, var blob) in model.Blobs)
        {
            if (blob.Content is null || !name.StartsWith(Prefix, StringComparison.Ordinal))
            {
                continue;
            }

            var cut = Delimiter.Length == 0 ? -1 : name.IndexOf(Delimiter, Prefix.Length, StringComparison.Ordinal);
            var entry = cut < 0 ? $"{name} {blob.ETag} {blob.Metadata} {model.State(blob)}" : name[..(cut + Delimiter.Length)];
            if (cut < 0 || expected.LastOrDefault() != entry)
            {
                expected.Add(entry);
            }
        }

        return expected;
    }

    private static string Describe(XElement entry) =>
        entry.Name == "BlobPrefix"
            ? entry.Element("Name")!.Value
            : $"{entry.Element("Name")!.Value} {entry.Descendants("Etag").Single().Value} {entry.Element("Metadata")?.Element("value")?.Value} {entry.Descendants("LeaseState").Single().Value}";
}

internal sealed record AdvanceStep(int Seconds) : ModelStep
{
    public override Task ApplyAsync(ModelRun run)
    {
        run.Advance(Seconds);
        return Task.CompletedTask;
    }
}

internal sealed record RestartStep(bool Killed) : ModelStep
{
    public override Task ApplyAsync(ModelRun run) => run.RestartAsync(Killed);
}
