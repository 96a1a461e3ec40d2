using EventHubThroughput.Testing;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace EventHubThroughput.Verification.Tests;

/// <summary>Runs that are judged from one reading of ledger and journal are judged as each would be alone.</summary>
public sealed class SharedReadingTests
{
    [Fact]
    public void Several_runs_together_have_the_verdicts_that_they_have_alone()
    {
        var property = Prop.ForAll(
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            static seed =>
            {
                var run = GoodRunTests.Of(seed).Play();
                SpillingTests.Damage(run.Journal, new Random(seed));
                VerificationScope[] scopes =
                [
                    run.Scope,
                    run.Scope with
                    {
                        Group = "another",
                    },
                    run.Scope with
                    {
                        MessageEntity = "another",
                    },
                    run.Scope with
                    {
                        ArchiveContainer = "another",
                    },
                    run.Scope with
                    {
                        UpToCheckpoint = true,
                    },
                    run.Scope,
                ];
                var together = Verifier.Judge(run.Ledger, GoodRun.Numbered(run.Journal), scopes, new VerifierResources());
                Assert.Equal(
                    scopes.Select(scope => SpillingTests.Text(Verifier.Judge(run.Ledger, GoodRun.Numbered(run.Journal), scope))),
                    together.Select(SpillingTests.Text)
                );
            }
        );
        Check.One(PropertyCases.Times(0.5), property);
    }

    [Fact]
    public void No_scope_gives_no_verdict()
    {
        var run = GoodRunTests.Of(1).Play();

        Assert.Empty(Verifier.Judge(run.Ledger, GoodRun.Numbered(run.Journal), [], new VerifierResources()));
    }
}
