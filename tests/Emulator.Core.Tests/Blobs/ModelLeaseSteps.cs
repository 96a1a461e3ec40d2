using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>Acquires, for a while (seconds) or for ever (null), under a new name or that of the present lease.</summary>
internal sealed record AcquireStep(string Name, int? Seconds, bool Again, int Number) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var blob = run.Model.Find(Name);
        var id = Again && blob?.Lease is { } present ? present.Id : $"{Number:D8}-0000-0000-0000-000000000000";
        var state = run.Model.State(blob);
        var same = blob?.Lease?.Id == id;
        (int, string?)? refusal = blob is null
            ? (404, "BlobNotFound")
            : state switch
            {
                "leased" when !same => (409, "LeaseAlreadyPresent"),
                "breaking" => (409, same ? "LeaseIsBreakingAndCannotBeAcquired" : "LeaseAlreadyPresent"),
                _ => null,
            };
        var answer = await run.SendAsync(
            "PUT",
            $"/{Name}?comp=lease",
            string.Empty,
            ("x-ms-lease-action", "acquire"),
            ("x-ms-lease-duration", $"{Seconds ?? -1}"),
            ("x-ms-proposed-lease-id", id)
        );
        Assert.Equal(refusal ?? (201, null), (answer.Status, answer.Code));
        if (refusal is null)
        {
            Assert.Equal(id, answer.Headers["x-ms-lease-id"]);
            Assert.Equal($"\"{blob!.ETag}\"", answer.Headers["ETag"]);
            blob.Lease = new ModelLease
            {
                Id = id,
                Seconds = Seconds,
                Ends = run.Model.Now + Seconds,
            };
        }
    }
}

internal sealed record RenewStep(string Name, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var blob = run.Model.Find(Name);
        var id = BlobModel.Id(blob, Holder);
        (int, string?)? refusal = blob is null
            ? (404, "BlobNotFound")
            : run.Model.State(blob) switch
            {
                _ when id != blob.Lease?.Id => (409, "LeaseIdMismatchWithLeaseOperation"),
                "breaking" or "broken" => (409, "LeaseIsBrokenAndCannotBeRenewed"),
                _ => null,
            };
        var answer = await run.SendAsync("PUT", $"/{Name}?comp=lease", string.Empty, ("x-ms-lease-action", "renew"), ("x-ms-lease-id", id));
        Assert.Equal(refusal ?? (200, null), (answer.Status, answer.Code));
        if (refusal is null)
        {
            blob!.Lease!.Ends = run.Model.Now + blob.Lease.Seconds;
        }
    }
}

internal sealed record ReleaseStep(string Name, Holder Holder) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var blob = run.Model.Find(Name);
        var id = BlobModel.Id(blob, Holder);
        (int, string?)? refusal =
            blob is null ? (404, "BlobNotFound")
            : id != blob.Lease?.Id ? (409, "LeaseIdMismatchWithLeaseOperation")
            : null;
        var answer = await run.SendAsync("PUT", $"/{Name}?comp=lease", string.Empty, ("x-ms-lease-action", "release"), ("x-ms-lease-id", id));
        Assert.Equal(refusal ?? (200, null), (answer.Status, answer.Code));
        if (refusal is null)
        {
            blob!.Lease = null;
        }
    }
}

/// <summary>Breaks, after a period at most (seconds) or when the lease would have ended (null).</summary>
internal sealed record BreakStep(string Name, int? Period) : ModelStep
{
    public override async Task ApplyAsync(ModelRun run)
    {
        var blob = run.Model.Find(Name);
        var state = run.Model.State(blob);
        (int, string?)? refusal =
            blob is null ? (404, "BlobNotFound")
            : state == "available" ? (409, "LeaseNotPresentWithLeaseOperation")
            : null;
        (string, string)[] period = Period is { } asked ? [("x-ms-lease-break-period", $"{asked}")] : [];
        var answer = await run.SendAsync("PUT", $"/{Name}?comp=lease", string.Empty, [("x-ms-lease-action", "break"), .. period]);
        Assert.Equal(refusal ?? (202, null), (answer.Status, answer.Code));
        if (refusal is not null)
        {
            return;
        }

        var left = state switch
        {
            "leased" => Math.Min((blob!.Lease!.Ends - run.Model.Now) ?? Period ?? 0, Period ?? long.MaxValue),
            "breaking" => Math.Min(blob!.Lease!.Broken!.Value - run.Model.Now, Period ?? long.MaxValue),
            _ => 0,
        };
        Assert.Equal($"{left}", answer.Headers["x-ms-lease-time"]);
        blob!.Lease!.Broken = run.Model.Now + left;
    }
}
