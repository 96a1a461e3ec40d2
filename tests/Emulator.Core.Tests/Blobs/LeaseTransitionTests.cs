using EventHubThroughput.Emulator.BlobFailures;
using EventHubThroughput.Emulator.Blobs;
using Xunit;

namespace EventHubThroughput.Emulator.Core.Tests.Blobs;

/// <summary>The service's table: what each action does in each state, by the holder and by a stranger.</summary>
public sealed class LeaseTransitionTests
{
    private const string Mine = "11111111-1111-1111-1111-111111111111";
    private const string Other = "22222222-2222-2222-2222-222222222222";

    private static readonly DateTimeOffset Now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TimeSpan Half = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData("Available", null, "Leased", null)]
    [InlineData("Leased", null, null, "LeaseAlreadyPresent")]
    [InlineData("Leased", Mine, "Leased", null)]
    [InlineData("Leased", Other, null, "LeaseAlreadyPresent")]
    [InlineData("Breaking", null, null, "LeaseAlreadyPresent")]
    [InlineData("Breaking", Mine, null, "LeaseIsBreakingAndCannotBeAcquired")]
    [InlineData("Broken", Other, "Leased", null)]
    [InlineData("Expired", Other, "Leased", null)]
    public void Acquire(string state, string? proposed, string? next, string? code) =>
        Check(state, new LeaseRequest(LeaseAction.Acquire, null, proposed, Half, null), next, code);

    [Theory]
    [InlineData("Available", Mine, null, "LeaseIdMismatchWithLeaseOperation")]
    [InlineData("Leased", Mine, "Leased", null)]
    [InlineData("Leased", Other, null, "LeaseIdMismatchWithLeaseOperation")]
    [InlineData("Breaking", Mine, null, "LeaseIsBrokenAndCannotBeRenewed")]
    [InlineData("Broken", Mine, null, "LeaseIsBrokenAndCannotBeRenewed")]
    [InlineData("Broken", Other, null, "LeaseIdMismatchWithLeaseOperation")]
    [InlineData("Expired", Mine, "Leased", null)]
    [InlineData("Expired", Other, null, "LeaseIdMismatchWithLeaseOperation")]
    public void Renew(string state, string id, string? next, string? code) =>
        Check(state, new LeaseRequest(LeaseAction.Renew, id, null, null, null), next, code);

    [Theory]
    [InlineData("Available", Mine, Other, null, "LeaseNotPresentWithLeaseOperation")]
    [InlineData("Leased", Mine, Other, "Leased", null)]
    [InlineData("Leased", Other, Mine, "Leased", null)]
    [InlineData("Leased", Other, Other, null, "LeaseIdMismatchWithLeaseOperation")]
    [InlineData("Breaking", Mine, Other, null, "LeaseIsBreakingAndCannotBeChanged")]
    [InlineData("Broken", Mine, Other, null, "LeaseNotPresentWithLeaseOperation")]
    [InlineData("Expired", Mine, Other, null, "LeaseNotPresentWithLeaseOperation")]
    public void Change(string state, string id, string proposed, string? next, string? code) =>
        Check(state, new LeaseRequest(LeaseAction.Change, id, proposed, null, null), next, code);

    [Theory]
    [InlineData("Available", Mine, null, "LeaseIdMismatchWithLeaseOperation")]
    [InlineData("Leased", Mine, "Available", null)]
    [InlineData("Leased", Other, null, "LeaseIdMismatchWithLeaseOperation")]
    [InlineData("Breaking", Mine, "Available", null)]
    [InlineData("Broken", Mine, "Available", null)]
    [InlineData("Expired", Mine, "Available", null)]
    public void Release(string state, string id, string? next, string? code) =>
        Check(state, new LeaseRequest(LeaseAction.Release, id, null, null, null), next, code);

    [Theory]
    [InlineData("Available", 0, null, 0, "LeaseNotPresentWithLeaseOperation")]
    [InlineData("Leased", -1, "Breaking", 60, null)]
    [InlineData("Leased", 10, "Breaking", 10, null)]
    [InlineData("Leased", 0, "Broken", 0, null)]
    [InlineData("Infinite", -1, "Broken", 0, null)]
    [InlineData("Infinite", 40, "Breaking", 40, null)]
    [InlineData("Breaking", -1, "Breaking", 30, null)]
    [InlineData("Breaking", 60, "Breaking", 30, null)]
    [InlineData("Breaking", 0, "Broken", 0, null)]
    [InlineData("Broken", 10, "Broken", 0, null)]
    [InlineData("Expired", 10, "Broken", 0, null)]
    public void Break(string state, int period, string? next, int left, string? code)
    {
        var outcome = Check(state, new LeaseRequest(LeaseAction.Break, null, null, null, period < 0 ? null : TimeSpan.FromSeconds(period)), next, code);
        Assert.Equal(code is null ? TimeSpan.FromSeconds(left) : null, outcome.TimeLeft);
    }

    [Theory]
    [InlineData("Available", null, null)]
    [InlineData("Available", Mine, "LeaseNotPresentWithBlobOperation")]
    [InlineData("Leased", null, "LeaseIdMissing")]
    [InlineData("Leased", Mine, null)]
    [InlineData("Leased", Other, "LeaseIdMismatchWithBlobOperation")]
    [InlineData("Breaking", null, "LeaseIdMissing")]
    [InlineData("Breaking", Mine, null)]
    [InlineData("Broken", null, null)]
    [InlineData("Broken", Mine, "LeaseLost")]
    [InlineData("Expired", null, null)]
    [InlineData("Expired", Mine, "LeaseLost")]
    [InlineData("Expired", Other, "LeaseIdMismatchWithBlobOperation")]
    public void Write(string state, string? id, string? code) => Assert.Equal(code, Lease.CheckWrite(LeaseIn(state), id, Now, LeaseWords.Blob)?.Code);

    private static LeaseOutcome Check(string state, LeaseRequest request, string? next, string? code)
    {
        var outcome = LeaseTransition.Of(LeaseIn(state), request, Now);
        Assert.Equal(code, outcome.Failure?.Code);
        if (code is null)
        {
            Assert.Equal(next, Lease.GetState(outcome.Next, Now).ToString());
        }

        return outcome;
    }

    private static Lease? LeaseIn(string state) =>
        state switch
        {
            "Available" => null,
            "Leased" => new Lease(Mine, TimeSpan.FromSeconds(60), Now.AddSeconds(60), BrokenAt: null),
            "Infinite" => new Lease(Mine, Duration: null, EndsAt: null, BrokenAt: null),
            "Breaking" => new Lease(Mine, TimeSpan.FromSeconds(60), Now.AddSeconds(60), Now.AddSeconds(30)),
            "Broken" => new Lease(Mine, TimeSpan.FromSeconds(60), Now.AddSeconds(60), Now),
            _ => new Lease(Mine, TimeSpan.FromSeconds(60), Now, BrokenAt: null),
        };
}
