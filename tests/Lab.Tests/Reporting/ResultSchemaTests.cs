using EventHubThroughput.Testing;
using Xunit;

namespace EventHubThroughput.Lab.Tests.Reporting;

/// <summary><c>docs/result.schema.json</c> agrees with the types of the results. After a planned change, <c>EHT_APPROVE=1</c> writes it again.</summary>
public sealed class ResultSchemaTests
{
    [Fact]
    public async Task The_published_schema_is_that_of_the_types()
    {
        var file = RepositoryFiles.GetPath("docs", "result.schema.json");
        var schema = ResultSchema.Text();
        if (Environment.GetEnvironmentVariable("EHT_APPROVE") == "1")
        {
            await File.WriteAllTextAsync(file, schema, TestContext.Current.CancellationToken);
        }

        Assert.Equal(File.Exists(file) ? await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken) : "", schema);
    }
}
