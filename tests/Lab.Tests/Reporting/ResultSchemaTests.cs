using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

/// <summary>
/// <c>docs/result.schema.json</c> tells what the types of the results tell. After a change that is meant, <c>EHT_APPROVE=1</c> writes it anew.
/// </summary>
public sealed class ResultSchemaTests
{
    [Fact]
    public async Task The_published_schema_is_that_of_the_types()
    {
        var file = RepositoryFiles.PathOf("docs", "result.schema.json");
        var schema = ResultSchema.Text();
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            await File.WriteAllTextAsync(file, schema, TestContext.Current.CancellationToken);
        }

        Assert.Equal(File.Exists(file) ? await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken) : "", schema);
    }
}
